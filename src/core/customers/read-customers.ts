import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool, type Kysely } from "kysely";
import { ArgsType, Field } from "type-graphql";
import { addressKey } from "../../platform/mail/email-address.ts";
import type { Operation } from "../access/operation.ts";
import type { InputIssue } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { columnsOf, conditionsOf, selectFields, type Select, type Shown } from "../queries/columns.ts";
import { kysely } from "../queries/database.ts";
import { answerOf, finderOf } from "../queries/find-by-id.ts";
import { PageArgs, type Page } from "../model/page.ts";
import { readPage } from "../queries/list.ts";
import { SEARCH_RULE, searchOf } from "../queries/search.ts";
import type { Selection } from "../queries/selection.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { customerSearchTerm } from "./search-words.ts";
import { TimestampScalar } from "../model/scalars.ts";
import type { Database } from "../model/tables.ts";
import { idIn, type RowKey } from "../queries/row-key.ts";

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

@ArgsType()
export class ListCustomersArgs extends PageArgs {
  @Field(() => String, {
    nullable: true,
    description: `Beginnings of words of the email address, the names or the phone number. Finds a phone number of five or more digits in any format, with or without the country code. ${SEARCH_RULE}`,
  })
  search?: string | null;

  @Field(() => String, { nullable: true, description: "Only the customer with this email address, ignoring case." })
  email?: string | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only customers created at or after this time." })
  createdSince?: Date | null;

  @Field(() => TimestampScalar, { nullable: true, description: "Only customers changed at or after this time." })
  updatedSince?: Date | null;

  @Field(() => CustomerSort, { defaultValue: CustomerSort.CREATED_AT, description: "The field to sort by." })
  sort!: CustomerSort;
}

/** Lists a shop's customers, newest first by default. @throws AppError VALIDATION_FAILED */
export async function listCustomers(
  em: EntityManager,
  shopId: string,
  {
    search,
    email,
    createdSince,
    updatedSince,
    ...page
  }: Omit<ListCustomersArgs, "sort"> & { sort: CustomerSort | "email" },
  selection: Selection,
): Promise<Page<ShownCustomer>> {
  const conditions = [
    ...(email == null ? [] : [sql<SqlBool>`lower(email) = ${addressKey(email)}`]),
    ...conditionsOf<"customers">(["created_at", ">=", createdSince], ["updated_at", ">=", updatedSince]),
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

/** Loads the store credit balance of customers of one shop: the sum of the ledger. */
export async function loadStoreCreditBalances(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<string[]> {
  const rows = await database
    .selectFrom("store_credit_entries")
    .select(["customer_id", (eb) => eb.fn.sum<string>("amount").as("balance")])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("customer_id", "=", idIn(customers))
    .groupBy("customer_id")
    .execute();
  const balances = new Map(rows.map((row) => [row.customer_id, row.balance]));
  return customers.map((customer) => balances.get(customer.id) ?? "0");
}

/** Counts the orders of customers of one shop. */
export async function loadCustomerOrderCounts(
  database: Kysely<Database>,
  customers: readonly RowKey[],
): Promise<number[]> {
  const rows = await database
    .selectFrom("orders")
    .select(["customer_id", (eb) => eb.fn.countAll<string>().as("orders")])
    .where("shop_id", "=", customers[0]!.shopId)
    .where("customer_id", "=", idIn(customers))
    .groupBy("customer_id")
    .execute();
  const counts = new Map(rows.map((row) => [row.customer_id, Number(row.orders)]));
  return customers.map((customer) => counts.get(customer.id) ?? 0);
}
