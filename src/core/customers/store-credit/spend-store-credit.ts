import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { changeStoreCreditOnce, type StoreCreditRequest } from "./change-store-credit-once.ts";

/**
 * Takes from a customer's store credit and records `customer.updated`.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INSUFFICIENT_STORE_CREDIT when the balance is less; CONFLICT while
 *   the same idempotency key is in use
 */
export async function spendStoreCredit(
  em: EntityManager,
  shop: Shop,
  author: Author,
  request: StoreCreditRequest,
): Promise<void> {
  await changeStoreCreditOnce(em, shop, author, "spendStoreCredit", request);
}
