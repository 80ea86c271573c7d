import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../errors.ts";
import { isId } from "../ids.ts";
import { kysely, runStatement } from "../queries/database.ts";

/**
 * Locks the customer's row until the transaction ends. What is read of the customer after that is what was
 * committed while the lock was waited for.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockCustomer(em: EntityManager, shopId: string, id: string): Promise<void> {
  // No more than this, so that orders can go on pointing to the row meanwhile.
  const text = "select id from customers where shop_id = $1 and id = $2 for no key update";
  const locked = isId(id) ? await runStatement(kysely(em), text, [shopId, id]) : [];
  if (locked.length === 0) throw new AppError("NOT_FOUND", "Customer not found");
}
