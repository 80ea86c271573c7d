import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { addressKey } from "../../platform/mail/email-address.ts";
import { columnsOf, conditionsOf, selectFields, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { findById } from "../queries/find-by-id.ts";
import type { Page, PageRequest } from "../model/page.ts";
import { readPage } from "../queries/list-query.ts";
import { searchConditions } from "../queries/search.ts";
import type { Selection } from "../queries/selection.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchParts } from "./search-text.ts";

/** A customer with the selected fields. */
export type ShownCustomer = Shown<Customer, "shopId" | "id">;

function selectCustomer(em: EntityManager, selection: Selection): Select<ShownCustomer> {
  return selectFields(columnsOf(em, Customer), selection, ["shopId", "id"]);
}

/** The columns that customers can be sorted by. */
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

/** Lists a shop's customers, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listCustomers(
  em: EntityManager,
  shopId: string,
  { search, email, createdSince, updatedSince, ...page }: ListCustomersFilter,
  selection: Selection,
): Promise<Page<ShownCustomer>> {
  const conditions = [
    ...searchConditions(search, customerSearchParts),
    ...(email == null ? [] : [sql<SqlBool>`lower(email) = ${addressKey(email)}`]),
    ...conditionsOf<"customers">(["created_at", ">=", createdSince], ["updated_at", ">=", updatedSince]),
  ];
  return readPage(kysely(em), {
    ...page,
    shopId,
    table: "customers",
    select: selectCustomer(em, selection.at("items")),
    selection,
    conditions,
    texts: { search, email },
    total: conditions.length > 0 ? "counted" : "maintained",
  });
}

/** Finds a customer. Undefined when this shop has none with this id. */
export async function findCustomer(
  em: EntityManager,
  shopId: string,
  id: string,
  selection: Selection,
): Promise<ShownCustomer | undefined> {
  return findById(kysely(em), "customers", { shopId, id }, selection.name, () => selectCustomer(em, selection));
}
