import type { EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../platform/mail/email-address.ts";
import { columnsOf, selectList } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { conditionsOf, readPage, type PageFields } from "../queries/list-query.ts";
import { searchConditions } from "../queries/search.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchParts } from "./search-text.ts";

export const customerColumns = (em: EntityManager, fields: ReadonlySet<string>) =>
  selectList(columnsOf(em, Customer), fields, ["shopId", "id"]);

/** The columns that customers are sorted by. */
export enum CustomerSort {
  CREATED_AT = "created_at",
  UPDATED_AT = "updated_at",
  LAST_NAME = "last_name",
}

export interface ListCustomersFilter extends PageRequest {
  search?: string | null;
  email?: string | null;
  createdSince?: Date | null;
  updatedSince?: Date | null;
  sort?: CustomerSort;
}

/** A shop's customers, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listCustomers(
  em: EntityManager,
  shopId: string,
  { search, email, createdSince, updatedSince, ...page }: ListCustomersFilter,
  fields: PageFields,
): Promise<Page<Customer>> {
  const conditions = [
    ...searchConditions(search, customerSearchParts),
    ...conditionsOf([
      ["lower(email) = ?", email == null ? null : addressKey(email)],
      ["created_at >= ?", createdSince],
      ["updated_at >= ?", updatedSince],
    ]),
  ];
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "customers",
    columns: customerColumns(em, fields.item),
    fields: fields.page,
    conditions,
    texts: { search, email },
    total: conditions.length > 0 ? "counted" : "maintained",
  });
}
