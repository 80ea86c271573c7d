import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { ArgsType, Field, ID, Int } from "type-graphql";
import { columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { checkCount } from "../queries/list.ts";
import { readPage } from "../queries/list.ts";
import type { Selection } from "../queries/selection.ts";
import { invalidInput } from "../model/errors.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { ApiRequest } from "../model/requests/api-request.entity.ts";

@ArgsType()
export class ListRequestsArgs extends PageArgs {
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

/** A request with the selected fields. */
export type ShownRequest = Shown<ApiRequest, "shopId" | "id" | "apiKeyId">;

/** Lists the requests of a shop's API keys, newest first. @throws AppError VALIDATION_FAILED */
export function listRequests(
  em: EntityManager,
  shopId: string,
  { apiKeyId, requestId, status, statusClass, path, ...page }: ListRequestsArgs,
  selection: Selection,
): Promise<Page<ShownRequest>> {
  const issues = checkCount("statusClass", statusClass ?? 1, 5);
  if (issues.length > 0) throw invalidInput(issues);
  const conditions = conditionsOf<"api_requests">(
    ["api_key_id", "=", apiKeyId],
    ["request_id", "=", requestId],
    ["status", "=", status],
    ["status", ">=", statusClass == null ? null : statusClass * 100],
    ["status", "<", statusClass == null ? null : (statusClass + 1) * 100],
  );
  if (path != null) conditions.push(sql<SqlBool>`${path} in (route, path)`);
  return readPage(em, {
    ...page,
    shopId,
    table: "api_requests",
    select: (_, items) => selectFields(columnsOf(em, ApiRequest), items, ["shopId", "id", "apiKeyId"]),
    selection,
    conditions,
    texts: { apiKeyId, requestId, path },
    // Ids sort by time, which saves a second index on each request.
    sort: "id",
    total: "counted",
  });
}
