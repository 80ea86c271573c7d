import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { inCurrency } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../../idempotency/run-idempotent.ts";
import { amount } from "../../validation/amount.ts";
import { parseInput, text } from "../../validation/input.ts";
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

/** The request of staff. `amount` is a decimal string without sign, in the shop's currency. */
export interface StoreCreditRequest {
  customerId: string;
  input: z.input<ReturnType<typeof storeCreditSchema>>;
  claim: IdempotencyClaim | undefined;
}

/** @throws AppError VALIDATION_FAILED; NOT_FOUND; INSUFFICIENT_STORE_CREDIT; CONFLICT */
export async function changeStoreCreditOnce(
  em: EntityManager,
  shop: Shop,
  author: Author,
  operation: "grantStoreCredit" | "spendStoreCredit",
  { customerId, input, claim }: StoreCreditRequest,
): Promise<void> {
  const { amount: value, reason } = parseInput(storeCreditSchema(shop), input);
  const signed = operation === "spendStoreCredit" ? `-${value}` : value;
  const change = { customerId, amount: signed, reason };
  const once = { shopId: shop.id, claim, operation, input: change };
  await em.transactional((transaction) =>
    runIdempotent(transaction, once, async () => {
      const at = await databaseTime(transaction);
      await changeStoreCredit(transaction, shop, author, { ...change, at });
      await recordAudit(transaction, shop.id, author, {
        action: actions[operation],
        target: { id: customerId, name: customerId },
        details: { amount: inCurrency(value, shop) },
        at,
      });
      return null;
    }),
  );
}
