import type { GraphQLResolveInfo } from "graphql";
import {
  Arg,
  Args,
  ArgsType,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  Info,
  Int,
  Resolver,
  Root,
} from "type-graphql";
import { Permission } from "../model/permissions.ts";
import type { CoreContext } from "../context.ts";
import { ApiKey } from "../model/credentials/api-key.entity.ts";
import { selectionOf } from "../queries/selection.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { ApiRequest, ApiRequestPage } from "../model/requests/api-request.entity.ts";
import { HourlyRequests } from "../model/requests/hourly-requests.entity.ts";
import { loadHourlyRequests, MAX_HOURS } from "./load-hourly-requests.sql.ts";
import { listRequests, type ShownRequest } from "./list-requests.ts";
import type { ShownCredential } from "../credentials/list-credentials.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { loadApiKeys } from "../credentials/api-keys/load-api-keys.ts";

@ArgsType()
class ListRequestsArgs extends PageArgs {
  @Field(() => ID, { nullable: true, description: "Only requests with this API key." })
  apiKeyId?: string | null;

  @Field(() => String, { nullable: true, description: "Only the request with this X-Request-Id." })
  requestId?: string | null;

  @Field(() => Int, { nullable: true, description: "Only requests with this HTTP status." })
  status?: number | null;

  @Field(() => Int, { nullable: true, description: "Only requests whose HTTP status begins with this digit, 1 to 5." })
  statusClass?: number | null;

  @Field(() => String, {
    nullable: true,
    description: "Only requests to this route, such as /products/{productId}, or to this path after the shop ID.",
  })
  path?: string | null;
}

@Resolver(() => Shop)
export class ShopRequestsResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => ApiRequestPage, {
    description:
      "Requests to the v1 REST API in the last 30 days, newest first. A request appears some seconds after its response. The newest 100,000 are kept.",
  })
  requests(
    @Root() shop: Shop,
    @Ctx() context: CoreContext,
    @Info() info: GraphQLResolveInfo,
    @Args(() => ListRequestsArgs) filter: ListRequestsArgs,
  ): Promise<Page<ShownRequest>> {
    return context.limit(listRequests, context.orm.em, shop.id, filter, selectionOf(info));
  }

  @Authorized(Permission.SETTINGS)
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
