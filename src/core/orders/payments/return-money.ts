import type { EntityManager } from "@mikro-orm/postgresql";
import { Big, inCurrency, sum } from "../../../platform/money.ts";
import type { Author } from "../../access/author.ts";
import { changeStoreCredit } from "../../customers/store-credit/change-store-credit.ts";
import type { Shop } from "../../model/shops/shop.entity.ts";
import type { LockedOrder } from "../changes/lock-order.ts";
import { PaymentMethod } from "../../model/orders/payment.enums.ts";
import { Payment, RefundPayment } from "../../model/orders/payment.entity.ts";
import type { Share } from "./plan-refund.ts";

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
