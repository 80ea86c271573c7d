import { Big, inCurrency, sum } from "../../../platform/money.ts";
import type { Operation } from "../../access/operation.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import type { Order } from "../../model/orders/order.entity.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";
import { RefundPayment } from "../../model/orders/payment.entity.ts";
import type { Share } from "./share-refund.ts";

/** Records the refunded amounts on the payments. Store credit is added to the customer's ledger. */
export async function returnMoney(
  operation: Operation,
  order: Order,
  { refundId, shares, at }: { refundId: string; shares: readonly Share[]; at: Date },
): Promise<void> {
  const { em, shop } = operation;
  const paid = shares.filter(({ amount }) => new Big(amount).gt(0));
  if (paid.length > 0) {
    await em.insertMany(
      RefundPayment,
      paid.map(({ payment, amount }) => ({ shopId: shop.id, refundId, paymentId: payment.id, amount })),
    );
  }
  for (const { payment, amount, roundingAmount } of shares) {
    payment.refundedAmount = inCurrency(sum([payment.refundedAmount, amount]), shop);
    payment.refundedRoundingAmount = inCurrency(sum([payment.refundedRoundingAmount, roundingAmount]), shop);
  }
  const credit = sum(
    shares.filter(({ payment }) => payment.method === PaymentMethod.STORE_CREDIT).map(({ amount }) => amount),
  );
  if (new Big(credit).eq(0)) return;
  await changeStoreCredit(operation, {
    customerId: order.customer!.id,
    amount: credit,
    reason: "Refund",
    orderId: order.id,
    at,
  });
}
