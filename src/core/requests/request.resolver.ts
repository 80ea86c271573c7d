import type { GraphQLResolveInfo } from "graphql";
import { Arg, Args, ArgsType, Authorized, Ctx, FieldResolver, ID, Info, Int, Resolver, Root } from "type-graphql";
import { argumentsOf, nullable } from "../model/fields.ts";
import { Permission } from "../model/permissions.ts";
import type { CoreContext } from "../context.ts";
import { ApiKey } from "../model/credentials/api-key.entity.ts";
import { selectionOf, type Selection, ReadsShop, type ShopReader } from "../queries/selection.ts";
import { pageArguments, type Page } from "../model/page.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { ApiRequest, ApiRequestPage } from "../model/requests/api-request.entity.ts";
import { HourlyRequests } from "../model/requests/hourly-requests.entity.ts";
import { loadHourlyRequests, MAX_HOURS } from "./request-log.sql.ts";
import type { ShownCredential } from "../credentials/list-credentials.ts";
import { loaderOf } from "../queries/loader-of.ts";
import { loadApiKeys } from "../credentials/api-keys/load-api-keys.ts";
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { checkRange, readPage } from "../queries/list.ts";
import { invalidInput } from "../model/errors.ts";

@Authorized(Permission.READ_LOGS)
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

@ArgsType()
export class ListRequestsArgs extends argumentsOf({
  ...pageArguments,
  apiKeyId: nullable(ID, "Only requests with this API key."),
  requestId: nullable(String, "Only the request with this X-Request-Id."),
  status: nullable(Int, "Only requests with this HTTP status."),
  statusClass: nullable(Int, "Only requests whose HTTP status begins with this digit, 1 to 5."),
  path: nullable(
    String,
    "Only requests to this route, such as /products/{productId}, or to this path after the shop ID.",
  ),
  address: nullable(
    String,
    "Only requests from this IP address, or from addresses with this start, if it ends in a dot or a colon, such as 203.0.113.",
  ),
  userAgent: nullable(String, "Only requests whose User-Agent contains this text, in any case."),
}) {}

/** A request with the selected fields. */
export type ShownRequest = Shown<ApiRequest, "shopId" | "id" | "apiKeyId">;

/** Lists the requests of a shop's API keys, newest first. @throws AppError VALIDATION_FAILED */
export function listRequests(
  em: EntityManager,
  shopId: string,
  { apiKeyId, requestId, status, statusClass, path, address, userAgent, ...page }: ListRequestsArgs,
  selection: Selection,
): Promise<Page<ShownRequest>> {
  const issues = [...checkRange("status", status ?? 1, 599), ...checkRange("statusClass", statusClass ?? 1, 5)];
  if (issues.length > 0) throw invalidInput(issues);
  const conditions = conditionsOf<"api_requests">(
    ["api_key_id", "=", apiKeyId],
    ["request_id", "=", requestId],
    ["status", "=", status],
    ["status", ">=", statusClass == null ? null : statusClass * 100],
    ["status", "<", statusClass == null ? null : (statusClass + 1) * 100],
  );
  if (address != null) {
    const isStart = sql`${/[.:]$/.test(address)} and starts_with(host(address), ${address})`;
    conditions.push(sql<SqlBool>`(host(address) = ${address} or ${isStart})`);
  }
  if (userAgent != null) conditions.push(sql<SqlBool>`strpos(lower(user_agent), lower(${userAgent})) > 0`);
  if (path != null) conditions.push(sql<SqlBool>`${path} in (route, path)`);
  return readPage(em, {
    ...page,
    shopId,
    table: "api_requests",
    select: (_, items) => selectFields(columnsOf(em, ApiRequest), items, ["shopId", "id", "apiKeyId"]),
    selection,
    conditions,
    texts: { apiKeyId, requestId, path, address, userAgent },
    // Ids sort by time, which saves a second index on each request.
    sort: "id",
    total: "counted",
  });
}
