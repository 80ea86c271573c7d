import type { Kysely } from "kysely";
import { countRecords } from "../count-records.ts";
import { isId } from "../../platform/ids.ts";
import type { Database } from "../database.ts";
import { checkPage, type Page, type PageRequest } from "../pagination.ts";
import type { Customer } from "./customer.entity.ts";

const customerColumns = [
  "shop_id as shopId",
  "id",
  "email",
  "first_name as firstName",
  "last_name as lastName",
  "phone",
  "created_at as createdAt",
  "updated_at as updatedAt",
] as const;

/** A shop's customers, newest first. */
export async function listCustomers(
  database: Kysely<Database>,
  shopId: string,
  request: PageRequest,
): Promise<Page<Customer>> {
  checkPage(request);
  const ids = database
    .selectFrom("customers")
    .select("id")
    .where("shop_id", "=", shopId)
    .orderBy("created_at", "desc")
    .orderBy("id", "desc")
    .limit(request.limit)
    .offset((request.page - 1) * request.limit);
  const [items, total] = await Promise.all([
    database
      .selectFrom("customers")
      .select(customerColumns)
      .where("shop_id", "=", shopId)
      .where("id", "in", ids)
      .orderBy("created_at", "desc")
      .orderBy("id", "desc")
      .execute(),
    countRecords(database, shopId, "customers"),
  ]);
  return { items, total };
}

/** The customer, or undefined when this shop has none by the id. */
export async function findCustomer(
  database: Kysely<Database>,
  shopId: string,
  id: string,
): Promise<Customer | undefined> {
  if (!isId(id)) return undefined;
  return database
    .selectFrom("customers")
    .select(customerColumns)
    .where("shop_id", "=", shopId)
    .where("id", "=", id)
    .executeTakeFirst();
}
