import type { Kysely } from "kysely";
import { isId } from "../../platform/ids.ts";
import { selectList } from "../columns.ts";
import { runStatement, type Database } from "../database.ts";
import { readPage, type PageFields } from "../read-page.ts";
import type { Page, PageRequest } from "../pagination.ts";
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

/** A shop's customers, newest first. @throws AppError VALIDATION_FAILED */
export function listCustomers(
  database: Kysely<Database>,
  shopId: string,
  page: PageRequest,
  fields: PageFields,
): Promise<Page<Customer>> {
  return readPage(database, {
    ...page,
    shopId,
    table: "customers",
    columns: customerColumns(fields.item),
    fields: fields.page,
    total: "maintained",
  });
}

/** The customer, or undefined when this shop has none by the id. */
export async function findCustomer(
  database: Kysely<Database>,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<Customer | undefined> {
  if (!isId(id)) return undefined;
  const text = `select ${customerColumns(fields)} from customers where shop_id = $1 and id = $2`;
  const [customer] = await runStatement<Customer>(database, text, [shopId, id]);
  return customer;
}
