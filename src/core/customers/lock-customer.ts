import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { kysely } from "../queries/database.ts";

/**
 * Locks the customer's row until the transaction ends. What is read of the customer after that is what was
 * committed while the lock was waited for.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockCustomer(em: EntityManager, shopId: string, id: string): Promise<void> {
  const locked = isId(id)
    ? await kysely(em)
        .selectFrom("customers")
        .select("id")
        .where("shop_id", "=", shopId)
        .where("id", "=", id)
        // No more than this, so that orders can go on pointing to the row meanwhile.
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!locked) throw new AppError("NOT_FOUND", "Customer not found");
}
