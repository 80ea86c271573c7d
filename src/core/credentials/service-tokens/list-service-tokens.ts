import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../../queries/columns.ts";
import { kysely } from "../../queries/database.ts";
import type { Page, PageRequest } from "../../queries/pagination.ts";
import { readPage, type PageFields } from "../../queries/list-query.ts";
import { ServiceToken } from "./service-token.entity.ts";

/** A shop's service tokens, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listServiceTokens(
  em: EntityManager,
  shopId: string,
  page: PageRequest,
  fields: PageFields,
): Promise<Page<ServiceToken>> {
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "service_tokens",
    columns: selectList(columnsOf(em, ServiceToken), fields.item, ["shopId", "id", "createdBy"]),
    fields: fields.page,
    total: "counted",
  });
}
