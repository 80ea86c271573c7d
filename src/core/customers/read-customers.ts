import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type Expression, type RawBuilder, type SqlBool } from "kysely";
import { ArgsType } from "type-graphql";
import { addressKey } from "../../platform/mail/email-address.ts";
import type { Operation } from "../access/operation.ts";
import type { InputIssue } from "../model/errors.ts";
import { argumentsOf, field, nullable } from "../model/fields.ts";
import { isId } from "../model/ids.ts";
import { columnsOf, conditionsOf, selectFields, shopParameter, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";
import { lowercaseEnum, type ValueOf } from "../model/enum-type.ts";
import { recordArguments, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import { SEARCH_RULE, searchOf } from "../queries/search.ts";
import type { Selection } from "../queries/selection.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchTerm } from "./search-words.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { metadataOf } from "../queries/metadata.sql.ts";

/** A customer with the selected fields. */
export type ShownCustomer = Shown<Customer & { storeCreditBalance: string; orderCount: number }, "shopId" | "id">;

function selectCustomer(em: EntityManager, selection: Selection): Select<ShownCustomer> {
  const columns = {
    ...columnsOf(em, Customer),
    ...metadataOf(em, "customers.id", selection),
    storeCreditBalance: storeCreditBalance(shopParameter, sql.ref("customers.id")),
    orderCount: sql<number>`(select count(*)::float8 from orders
      where shop_id = ${shopParameter} and customer_id = customers.id)`,
  };
  return selectFields<ShownCustomer, "shopId" | "id">(columns, selection, ["shopId", "id"]);
}

/** SQL: the store credit of a customer, the sum of the ledger. */
export function storeCreditBalance(shopId: Expression<string>, customerId: Expression<string>): RawBuilder<string> {
  return sql`(select coalesce(sum(amount), 0) from store_credit_entries
    where shop_id = ${shopId} and customer_id = ${customerId})`;
}

/** The columns that customers can be sorted by. */
export const CustomerSort = lowercaseEnum("CustomerSort", "The field to sort customers by.", {
  CREATED_AT: "The time of creation.",
  UPDATED_AT: "The time of the last change to the customer or their store credit.",
  LAST_NAME: "The last name.",
});
export type CustomerSort = ValueOf<typeof CustomerSort>;

@ArgsType()
export class ListCustomersArgs extends argumentsOf({
  ...recordArguments,
  search: nullable(
    String,
    `Beginnings of words of the email address, the names or the phone number. Finds a phone number of five or more digits in any format, with or without the country code. ${SEARCH_RULE}`,
  ),
  email: nullable(String, "Only the customer with this email address, ignoring case."),
  createdSince: nullable(TimestampScalar, "Only customers created at or after this time."),
  updatedSince: nullable(TimestampScalar, "Only customers changed at or after this time."),
  sort: field(CustomerSort, "The field to sort by.", { defaultValue: CustomerSort.CREATED_AT }),
}) {}

/** Lists a shop's customers, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listCustomers(
  em: EntityManager,
  shopId: string,
  { search, email, createdSince, ...page }: Omit<ListCustomersArgs, "sort"> & { sort: CustomerSort | "email" },
  selection: Selection,
): Promise<Page<ShownCustomer>> {
  const conditions = [
    ...(email == null ? [] : [sql<SqlBool>`lower(email) = ${addressKey(email)}`]),
    ...conditionsOf<"customers">(["created_at", ">=", createdSince]),
  ];
  return readPage(em, {
    ...page,
    shopId,
    table: "customers",
    select: selectCustomer,
    selection,
    ...(page.sort === "email" && { sortBy: sql`lower(email)` }),
    search: searchOf(shopId, search, customerSearchTerm),
    conditions,
    texts: { search, email },
    total: conditions.length > 0 ? "counted" : "maintained",
  });
}

export const findCustomer = finderOf("customers", selectCustomer);
export const answerCustomer = answerOf("Customer", findCustomer);

/** Returns an issue if an order cannot refer to the given customer. A lock delays their erasure until the commit. */
export async function checkCustomer(
  { em, shop }: Operation,
  customerId: string | null | undefined,
  lock?: "forKeyShare",
): Promise<InputIssue[]> {
  if (customerId == null) return [];
  const row = kysely(em)
    .selectFrom("customers")
    .select("erased_at")
    .where("shop_id", "=", shop.id)
    .where("id", "=", customerId);
  const found = isId(customerId) ? await (lock ? row[lock]() : row).executeTakeFirst() : undefined;
  if (!found) return [{ path: "customerId", code: "not_found", message: "Customer not found" }];
  return found.erased_at ? [{ path: "customerId", code: "erased", message: "The customer was erased" }] : [];
}
