import { z } from "zod";
import { inCurrency } from "../../../platform/money.ts";
import { inTransaction, type Operation } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { amount } from "../../validation/amount.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import { changeStoreCredit } from "./change-store-credit.ts";

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
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; INSUFFICIENT_STORE_CREDIT when the balance is less; CONFLICT while the
 * same idempotency key is in use
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
