import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { columnsOf, conditionsOf, selectFields, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { readPage } from "../queries/list-query.ts";
import type { Selection } from "../queries/selection.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { ApiRequest } from "../model/requests/api-request.entity.ts";

export interface ListRequestsFilter extends PageRequest {
  apiKeyId?: string | null;
  requestId?: string | null;
  status?: number | null;
  /** A route, such as `/products/{productId}`, or a path. */
  path?: string | null;
}

/** A request with the selected fields. */
export type ShownRequest = Shown<ApiRequest, "shopId" | "id" | "apiKeyId">;

/** Lists the requests of a shop's API keys, newest first. @throws AppError VALIDATION_FAILED */
export function listRequests(
  em: EntityManager,
  shopId: string,
  { apiKeyId, requestId, status, path, ...page }: ListRequestsFilter,
  selection: Selection,
): Promise<Page<ShownRequest>> {
  const conditions = conditionsOf<"api_requests">(
    ["api_key_id", "=", apiKeyId],
    ["request_id", "=", requestId],
    ["status", "=", status],
  );
  if (path != null) conditions.push(sql<SqlBool>`${path} in (route, path)`);
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "api_requests",
    select: selectFields(columnsOf(em, ApiRequest), selection.at("items"), ["shopId", "id", "apiKeyId"]),
    selection,
    conditions,
    texts: { apiKeyId, requestId, path },
    // Ids sort by time, which saves a second index on each request.
    sort: "id",
    total: "counted",
  });
}
