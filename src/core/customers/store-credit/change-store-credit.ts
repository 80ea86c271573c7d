import { sql } from "kysely";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { Big, inCurrency, largestAmount } from "../../../platform/money.ts";
import { Permission } from "../../model/permissions.ts";
import { describeMoneyLeft } from "../../access/actor.ts";
import { type Operation, inTransaction } from "../../access/operation.ts";
import { kysely } from "../../queries/database.ts";
import { recordEvent } from "../../webhooks/events/record-event.sql.ts";
import { StoreCreditEntry } from "../../model/customers/customer.entity.ts";
import { lockCustomer } from "../customers.ts";
import { z } from "zod";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { amount } from "../../validation/amount.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";

export interface StoreCreditChange {
  customerId: string;
  /** Decimal, in the shop's currency, not 0. Negative to spend. */
  amount: string;
  reason: string;
  orderId?: string;
  at: Date;
}

/**
 * Adds an entry to the customer's store credit ledger and records `customer.updated`, inside the given transaction. The
 * customer's row stays locked until it ends, so concurrent changes run one after another.
 *
 * @throws AppError NOT_FOUND; INSUFFICIENT_STORE_CREDIT when the balance is too low; INVALID_STATE when the balance
 * would exceed the largest amount, or for a grant to an erased customer
 */
export async function changeStoreCredit(
  operation: Operation,
  { customerId, amount: given, reason, orderId, at }: StoreCreditChange,
): Promise<void> {
  const { em, shop, actor } = operation;
  const shopId = shop.id;
  const { erasedAt } = await lockCustomer(em, shopId, customerId);
  const change = new Big(given);
  // A refund gives back what the order took.
  if (erasedAt && orderId === undefined && change.gt(0)) {
    throw new AppError("INVALID_STATE", "The customer was erased: they cannot be granted store credit");
  }
  await checkBalance(operation, customerId, change);
  await em.insert(StoreCreditEntry, {
    shopId,
    id: newId("scr"),
    customer: [shopId, customerId],
    amount: inCurrency(change, shop),
    reason,
    orderId: orderId ?? null,
    actorId: actor.id,
    createdAt: at,
  });
  const { version } = await kysely(em)
    .updateTable("customers")
    // Never decreases, or queries for changes since a time would skip it.
    .set({ version: sql`version + 1`, updated_at: sql`greatest(updated_at, ${at})` })
    .where("shop_id", "=", shopId)
    .where("id", "=", customerId)
    .returning("version")
    .executeTakeFirstOrThrow();
  const data = { customerId, version };
  await recordEvent(operation, {
    topic: "customer.updated",
    data,
    changed: ["storeCreditBalance"],
    createdAt: at,
  });
}

/** A separate statement after the lock, so that it sees what was committed while it waited. */
async function checkBalance({ em, shop, actor }: Operation, customerId: string, change: Big): Promise<void> {
  const { balance: before } = await kysely(em)
    .selectFrom("store_credit_entries")
    .select((eb) => eb.fn.coalesce(eb.fn.sum<string>("amount"), sql<string>`0`).as("balance"))
    .where("shop_id", "=", shop.id)
    .where("customer_id", "=", customerId)
    .executeTakeFirstOrThrow();
  const left = new Big(before);
  const balance = left.plus(change);
  const largest = largestAmount(shop);
  if (balance.gt(largest)) throw new AppError("INVALID_STATE", `Store credit must be at most ${largest}`);
  if (balance.gte(0)) return;
  const available = describeMoneyLeft(actor, Permission.READ_CUSTOMERS, left, shop);
  throw new AppError("INSUFFICIENT_STORE_CREDIT", `Insufficient store credit${available}`, {
    hint: "See Customer.storeCreditBalance for the available amount.",
  });
}

const storeCreditSchema = (shop: Shop) =>
  z.strictObject({
    amount: amount({ moreThan: 0 }, shop),
    reason: text({ min: 1, max: 255, trim: true }),
  });

const actions = {
  grantStoreCredit: AuditAction.STORE_CREDIT_GRANTED,
  spendStoreCredit: AuditAction.STORE_CREDIT_SPENT,
} as const;

/** A request by staff. `amount` is a positive decimal string in the shop's currency. */
interface StoreCreditRequest {
  customerId: string;
  input: z.input<ReturnType<typeof storeCreditSchema>>;
  claim: IdempotencyClaim | undefined;
}

/**
 * Adds or deducts store credit of a customer and records `customer.updated`.
 *
 * @throws AppError as changeStoreCredit does; VALIDATION_FAILED; CONFLICT while the same idempotency key is in use
 */
export async function changeStoreCreditOnce(
  operation: Operation,
  name: keyof typeof actions,
  { customerId, input, claim }: StoreCreditRequest,
): Promise<void> {
  const { shop } = operation;
  const { amount: value, reason } = parseInput(storeCreditSchema(shop), input);
  const change = { customerId, amount: name === "spendStoreCredit" ? `-${value}` : value, reason };
  const once = { shopId: shop.id, claim, operation: name, input: change };
  await inTransaction(operation, (inside) =>
    runIdempotent(inside.em, once, async () => {
      const at = await databaseTime(inside.em);
      await changeStoreCredit(inside, { ...change, at });
      await recordAudit(inside, {
        action: actions[name],
        target: { id: customerId, name: customerId },
        details: { amount: inCurrency(value, shop) },
        at,
      });
      return null;
    }),
  );
}
