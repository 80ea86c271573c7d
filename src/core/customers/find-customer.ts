import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../model/ids.ts";
import { kysely, runStatement } from "../queries/database.ts";
import type { Customer } from "../model/customers/customer.entity.ts";
import { customerColumns } from "./list-customers.ts";

/** The customer, or undefined when this shop has none with this id. */
export async function findCustomer(
  em: EntityManager,
  shopId: string,
  id: string,
  fields: ReadonlySet<string>,
): Promise<Customer | undefined> {
  if (!isId(id)) return undefined;
  const statement = `select ${customerColumns(em, fields)} from customers where shop_id = $1 and id = $2`;
  const [customer] = await runStatement<Customer>(kysely(em), statement, [shopId, id]);
  return customer;
}
