import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, Authorized, Ctx, FieldResolver, Info, Int, Resolver, Root } from "type-graphql";
import { Permission } from "../model/permissions.ts";
import type { CoreContext } from "../context.ts";
import { ApiKey } from "../model/credentials/api-key.entity.ts";
import { selectionOf } from "../queries/selection.ts";
import type { Page } from "../model/page.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { ApiRequest, ApiRequestPage } from "../model/requests/api-request.entity.ts";
import { HourlyRequests } from "../model/requests/hourly-requests.entity.ts";
import { loadHourlyRequests, MAX_HOURS } from "./load-hourly-requests.sql.ts";
import { listRequests, ListRequestsArgs, type ShownRequest } from "./list-requests.ts";
import type { ShownCredential } from "../credentials/list-credentials.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { loadApiKeys } from "../credentials/api-keys/load-api-keys.ts";
import { ReadsShop, type ShopReader } from "../queries/shop-reader.ts";

@Authorized(Permission.SETTINGS)
@Resolver(() => Shop)
export class ShopRequestsResolver {
  @FieldResolver(() => ApiRequestPage, {
    description:
      "Requests to the v1 REST API in the last 30 days, newest first. A request appears some seconds after its response. The newest 100,000 are kept.",
  })
  requests(
    @ReadsShop() read: ShopReader,
    @Args(() => ListRequestsArgs) filter: ListRequestsArgs,
  ): Promise<Page<ShownRequest>> {
    return read(listRequests, filter);
  }

  @FieldResolver(() => [HourlyRequests], {
    description: "The requests in each of the last hours, oldest first. Includes the current hour.",
  })
  hourlyRequests(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Arg("hours", () => Int, { defaultValue: 24, description: `The number of hours, 1 to ${MAX_HOURS}.` })
    hours: number,
  ): Promise<Omit<HourlyRequests, "shopId">[]> {
    return context.limit(loadHourlyRequests, context.database, shop.id, hours);
  }
}

@Resolver(() => ApiRequest)
export class ApiRequestResolver {
  @FieldResolver(() => ApiKey, { nullable: true, description: "The API key that made the request." })
  apiKey(
    @Root() { shopId, apiKeyId }: ApiRequest,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
  ): Promise<ShownCredential<ApiKey> | null> {
    return loaderOf(context, loadApiKeys).load({ shopId, id: apiKeyId, fields: selectionOf(info).fields });
  }
}
