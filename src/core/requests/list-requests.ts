import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { ApiRequest } from "../model/requests/api-request.entity.ts";

export interface ListRequestsFilter extends PageRequest {
  apiKeyId?: string | null;
  requestId?: string | null;
  status?: number | null;
  /** A route, such as `/products/{productId}`, or a path. */
  path?: string | null;
}

/** Lists the requests of a shop's API keys, newest first. @throws AppError VALIDATION_FAILED */
export function listRequests(
  em: EntityManager,
  shopId: string,
  { apiKeyId, requestId, status, path, ...page }: ListRequestsFilter,
  fields: PageFields,
): Promise<Page<ApiRequest>> {
  const conditions = conditionsOf([
    ["api_key_id = ?", apiKeyId],
    ["request_id = ?", requestId],
    ["status = ?", status],
    ["? in (route, path)", path],
  ]);
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "api_requests",
    columns: selectList(columnsOf(em, ApiRequest), fields.item, ["shopId", "id", "apiKeyId"]),
    fields: fields.page,
    conditions,
    texts: { apiKeyId, requestId, path },
    // Ids sort by time, which saves a second index on each request.
    sort: "id",
    total: "counted",
  });
}
