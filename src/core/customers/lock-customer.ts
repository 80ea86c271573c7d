import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { kysely } from "../queries/database.ts";

/**
 * Locks a customer's row until the transaction ends. Later reads see what was committed while it waited for the lock.
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
        // The weakest sufficient lock, so that orders can still refer to the row.
        .forNoKeyUpdate()
        .executeTakeFirst()
    : undefined;
  if (!locked) throw new AppError("NOT_FOUND", "Customer not found");
}
