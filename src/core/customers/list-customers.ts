import type { Kysely } from "kysely";
import { z } from "zod";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import { runStatement, type Database } from "../database.ts";
import { parseInput, text } from "../input.ts";
import type { Page, PageRequest } from "../pagination.ts";
import { readPage, type Condition, type PageFields } from "../read-page.ts";
import { MAX_SEARCH_LENGTH, searchPatterns } from "../search.ts";
import type { Customer } from "./customer.entity.ts";

const columns = {
  shopId: "shop_id",
  id: "id",
  email: "email",
  firstName: "first_name",
  lastName: "last_name",
  phone: "phone",
  note: "note",
  version: "version",
  createdAt: "created_at",
  updatedAt: "updated_at",
};

const customerColumns = (fields: ReadonlySet<string>) => selectList(columns, fields, ["shopId", "id"]);

/** The columns that customers are sorted by. */
export enum CustomerSort {
  CREATED_AT = "created_at",
  UPDATED_AT = "updated_at",
  LAST_NAME = "last_name",
}

const filterSchema = z.strictObject({
  search: text({ max: MAX_SEARCH_LENGTH }).nullish(),
  email: text({ max: 254 }).nullish(),
  createdSince: z.date().nullish(),
  updatedSince: z.date().nullish(),
});

export interface ListCustomersFilter extends PageRequest, z.input<typeof filterSchema> {
  sort?: CustomerSort;
}

/** A shop's customers, newest first unless told. @throws AppError VALIDATION_FAILED */
export async function listCustomers(
  database: Kysely<Database>,
  shopId: string,
  { search, email, createdSince, updatedSince, ...page }: ListCustomersFilter,
  fields: PageFields,
): Promise<Page<Customer>> {
  const conditions = conditionsOf(parseInput(filterSchema, { search, email, createdSince, updatedSince }));
  return readPage(database, {
    ...page,
    shopId,
    table: "customers",
    columns: customerColumns(fields.item),
    fields: fields.page,
    conditions,
    total: conditions.length > 0 ? "counted" : "maintained",
  });
}

function conditionsOf({ search, email, createdSince, updatedSince }: z.output<typeof filterSchema>): Condition[] {
  const conditions: Condition[] = searchPatterns(search).map((value) => ({ sql: "search_text like ?", value }));
  if (email != null) conditions.push({ sql: "lower(email) = lower(?)", value: email });
  if (createdSince != null) conditions.push({ sql: "created_at >= ?", value: createdSince });
  if (updatedSince != null) conditions.push({ sql: "updated_at >= ?", value: updatedSince });
  return conditions;
}

/** The customer, or undefined when this shop has none by the id. */
export async function findCustomer(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<Customer | undefined> {
  if (!isId(id)) return undefined;
  const statement = `select ${customerColumns(fields)} from customers where shop_id = $1 and id = $2`;
  const [customer] = await runStatement<Customer>(database, statement, [shopId, id]);
  return customer;
}
