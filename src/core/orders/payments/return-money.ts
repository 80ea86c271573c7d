import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError, invalidInput } from "../../errors.ts";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import { checkDecimals } from "../../validation/amount.ts";
import type { Author } from "../../access/author.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import type { Shop } from "../../shops/shop.entity.ts";
import type { LockedOrder, LockedPayment } from "../changes/lock-order.ts";
import { PaymentMethod, PaymentStatus } from "./payment.enums.ts";
import { Payment, RefundPayment } from "./payment.entity.ts";

/** The part of a refund that goes back through one payment. */
export interface Share {
  payment: LockedPayment;
  amount: string;
}

/** Takes the amount from what the payments still hold. @throws AppError when they do not hold as much */
export function shareOut(
  order: LockedOrder,
  shop: Shop,
  total: string,
  { amount: given, paymentId }: { amount?: string | null; paymentId?: string | null },
): Share[] {
  const issues = checkDecimals("amount", given, shop);
  if (paymentId != null && !order.payments.some(({ id }) => id === paymentId)) {
    issues.push({ path: "paymentId", code: "not_found", message: "The order has no such payment" });
  }
  if (issues.length > 0) throw invalidInput(issues);
  if (new Big(total).eq(0)) return [];
  const shares: Share[] = [];
  let open = new Big(total);
  let held = new Big(0);
  for (const payment of order.payments) {
    if (payment.status !== PaymentStatus.CAPTURED || (paymentId != null && payment.id !== paymentId)) continue;
    const left = new Big(payment.amount).minus(payment.refundedAmount);
    held = held.plus(left);
    const share = left.lt(open) ? left : open;
    if (share.gt(0)) shares.push({ payment, amount: inCurrency(share, shop) });
    open = open.minus(share);
  }
  if (held.eq(0)) {
    throw new AppError("INVALID_STATE", "No money is held that could be refunded", {
      hint: "Units come back without money for the amount 0.",
    });
  }
  if (open.gt(0)) {
    const message = "Must not exceed what is captured and not refunded";
    throw invalidInput([{ path: given == null ? "items" : "amount", code: "too_big", message }]);
  }
  return shares;
}

/** Notes with the payments what goes back through them. Store credit goes back to the customer's ledger. */
export async function returnMoney(
  em: EntityManager,
  shop: Shop,
  author: Author,
  order: LockedOrder,
  { refundId, shares, at }: { refundId: string; shares: Share[]; at: Date },
): Promise<void> {
  if (shares.length === 0) return;
  await em.insertMany(
    RefundPayment,
    shares.map((share) => ({ shopId: shop.id, refundId, paymentId: share.payment.id, amount: share.amount })),
  );
  for (const { payment, amount: share } of shares) {
    const refundedAmount = inCurrency(sum([payment.refundedAmount, share]), shop);
    await em.nativeUpdate(Payment, { shopId: shop.id, id: payment.id }, { refundedAmount });
  }
  const credit = sum(
    shares.filter(({ payment }) => payment.method === PaymentMethod.STORE_CREDIT).map((share) => share.amount),
  );
  if (new Big(credit).eq(0)) return;
  await changeStoreCredit(em, shop, author, {
    customerId: order.customerId!,
    amount: credit,
    reason: "Refund",
    orderId: order.id,
    at,
  });
}
