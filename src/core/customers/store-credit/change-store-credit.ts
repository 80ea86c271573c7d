import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency, largestAmount } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/describe-left.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { recordEvent } from "../../webhooks/events/record-event.ts";
import { StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import { lockCustomer } from "../lock-customer.ts";

export interface StoreCreditChange {
  customerId: string;
  /** Decimal, in the shop's currency, not 0. Negative to spend. */
  amount: string;
  reason: string;
  orderId?: string;
  at: Date;
}

/**
 * Adds a line to the customer's store credit ledger and records `customer.updated`, inside the caller's
 * transaction. The customer's row is locked until that ends, so that two who spend the last of it take turns.
 *
 * @throws AppError NOT_FOUND; INSUFFICIENT_STORE_CREDIT when more is spent than there is; INVALID_STATE when the balance
 *   would be more than an amount may be
 */
export async function changeStoreCredit(
  em: EntityManager,
  shop: Shop,
  author: Author,
  { customerId, amount, reason, orderId, at }: StoreCreditChange,
): Promise<void> {
  const { id: shopId } = shop;
  await lockCustomer(em, shopId, customerId);
  const change = new Big(amount);
  await checkBalance(em, shop, author, { customerId, change });
  await em.insert(StoreCreditEntry, {
    shopId,
    id: newId("scr"),
    customer: [shopId, customerId],
    amount: inCurrency(change, shop),
    reason,
    orderId: orderId ?? null,
    actorId: author.id,
    createdAt: at,
  });
  // Never back: whoever asks for what changed since a moment would miss it.
  const [touched] = await runStatement<{ version: number }>(
    kysely(em),
    `update customers set version = version + 1, updated_at = greatest(updated_at, $3)
    where shop_id = $1 and id = $2 returning version`,
    [shopId, customerId, at],
  );
  const data = { customerId, version: touched!.version };
  await recordEvent(em, { shopId, topic: "customer.updated", data, createdAt: at });
}

/** A statement of its own, after the lock: it sees what was committed while the lock was waited for. */
async function checkBalance(
  em: EntityManager,
  shop: Shop,
  author: Author,
  { customerId, change }: { customerId: string; change: Big },
): Promise<void> {
  const [row] = await runStatement<{ balance: string }>(
    kysely(em),
    `select coalesce(sum(amount), 0) as balance from store_credit_entries where shop_id = $1 and customer_id = $2`,
    [shop.id, customerId],
  );
  const left = new Big(row!.balance);
  const balance = left.plus(change);
  const largest = largestAmount(shop);
  if (balance.gt(largest)) throw new AppError("INVALID_STATE", `Store credit must be at most ${largest}`);
  if (balance.gte(0)) return;
  const told = describeMoneyLeft(author, Permission.READ_CUSTOMERS, left, shop);
  throw new AppError("INSUFFICIENT_STORE_CREDIT", `Insufficient store credit${told}`, {
    hint: "See Customer.storeCreditBalance for the available amount.",
  });
}
