import type { EntityManager } from "@mikro-orm/postgresql";
import { columnsOf, selectList } from "../columns.ts";
import { projections } from "../database.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { readPage, type PageFields } from "../read-page.ts";
import { ServiceToken } from "./service-token.entity.ts";

/** A shop's service tokens, newest first, those that ended included. @throws AppError VALIDATION_FAILED */
export function listServiceTokens(
  em: EntityManager,
  shopId: string,
  page: PageRequest,
  fields: PageFields,
): Promise<Page<ServiceToken>> {
  return readPage(projections(em), {
    ...page,
    shopId,
    table: "service_tokens",
    columns: selectList(columnsOf(em, ServiceToken), fields.item, ["id"]),
    fields: fields.page,
    total: "counted",
  });
}
