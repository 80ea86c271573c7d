import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError, invalidInput } from "../../platform/errors.ts";
import { newId } from "../../platform/ids.ts";
import { Big, sum } from "../../platform/money.ts";
import { amount, checkDecimals } from "../amount.ts";
import type { Caller } from "../caller.ts";
import { changeStoreCredit } from "../customers/change-store-credit.ts";
import { databaseTime } from "../database-time.ts";
import { runOnce } from "../idempotency/run-once.ts";
import { parseInput, text } from "../input.ts";
import { StockReason } from "../products/stock-change.entity.ts";
import type { Shop } from "../shops/shop.entity.ts";
import { recordEvent } from "../webhooks/record-event.ts";
import { MAX_TOTAL } from "./add-payments.ts";
import { addUnits, unitsByItem } from "./fulfill-order.ts";
import { lockOrder, saveOrder, type LockedOrder, type LockedPayment } from "./lock-order.ts";
import { fulfillmentStatusOf, paymentStatusOf } from "./order-states.ts";
import { OrderStatus } from "./order.entity.ts";
import { Payment, PaymentMethod, PaymentState, Refund, RefundItem, RefundPayment } from "./payment.entity.ts";
import { refundOfUnits } from "./price-order.ts";
import { restock } from "./restock.ts";

const refundOrderSchema = z
  .strictObject({
    amount: amount({ moreThan: 0, atMost: MAX_TOTAL }).nullish(),
    items: z
      .array(z.strictObject({ itemId: z.string(), quantity: z.int().min(1), restock: z.boolean().default(true) }))
      .min(1)
      .max(250)
      .nullish(),
    paymentId: z.string().nullish(),
    reason: text({ min: 1, max: 500 }).nullish(),
  })
  .refine((input) => input.amount != null || input.items != null, {
    path: ["amount"],
    error: "Is required without items",
    params: { code: "required" },
  });

type RefundInput = z.output<typeof refundOrderSchema>;
export type RefundOrderRequest = z.input<typeof refundOrderSchema>;

/** What of a refund goes back through one payment. */
interface Share {
  payment: LockedPayment;
  amount: string;
}

/**
 * Gives money back: an amount, or what the named units cost, through the order's payments from the oldest on
 * unless one is named. Store credit goes back to the customer's ledger.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND; VERSION_CONFLICT; INVALID_STATE when no money is held
 */
export async function refundOrder(
  em: EntityManager,
  shop: Shop,
  caller: Caller,
  orderId: string,
  request: RefundOrderRequest,
  { expectedVersion, idempotencyKey }: { expectedVersion?: number | null; idempotencyKey?: string } = {},
): Promise<void> {
  const input = parseInput(refundOrderSchema, request);
  const once = { shopId: shop.id, key: idempotencyKey, operation: "refundOrder", input: { orderId, ...input } };
  await em.transactional((transaction) =>
    runOnce(transaction, once, async () => {
      const order = await lockOrder(transaction, shop, orderId, expectedVersion);
      await refund(transaction, shop, caller, order, input);
      return null;
    }),
  );
}

async function refund(
  em: EntityManager,
  shop: Shop,
  caller: Caller,
  order: LockedOrder,
  input: RefundInput,
): Promise<void> {
  const at = await databaseTime(em);
  const units = unitsByItem(order, input.items ?? [], (item) => item.quantity - item.refundedQuantity);
  const total = input.amount ?? worthOf(order, units);
  const shares = shareOut(order, total, input);
  const refundId = newId("ref");
  await em.insert(Refund, {
    shopId: shop.id,
    id: refundId,
    order: [shop.id, order.id],
    amount: total,
    currency: order.currency,
    reason: input.reason ?? null,
    actorId: caller.id,
    createdAt: at,
  });
  await returnUnits(em, shop, caller, order, { refundId, units, input });
  await returnMoney(em, shop, caller, order, { refundId, shares, at });
  await saveRefunded(em, shop, order, { units, shares, total, at });
  await recordEvent(em, {
    shopId: shop.id,
    topic: "order.refunded",
    data: {
      orderId: order.id,
      orderNumber: order.orderNumber,
      refundId,
      amount: Number(total),
      currency: order.currency,
    },
    createdAt: at,
  });
}

function worthOf(order: LockedOrder, units: ReadonlyMap<string, number>): string {
  return sum(
    order.items.flatMap((item) => {
      const quantity = units.get(item.id);
      return quantity === undefined ? [] : [refundOfUnits(item, quantity, order.currency)];
    }),
  );
}

/** Takes the amount from what the payments still hold. @throws AppError when they do not hold as much */
function shareOut(order: LockedOrder, total: string, { amount: given, paymentId }: RefundInput): Share[] {
  const issues = checkDecimals("amount", given, order.currency);
  if (paymentId != null && !order.payments.some(({ id }) => id === paymentId)) {
    issues.push({ path: "paymentId", code: "not_found", message: "The order has no such payment" });
  }
  if (issues.length > 0) throw invalidInput(issues);
  const shares: Share[] = [];
  let open = new Big(total);
  let held = new Big(0);
  for (const payment of order.payments) {
    if (payment.status !== PaymentState.CAPTURED || (paymentId != null && payment.id !== paymentId)) continue;
    const left = new Big(payment.amount).minus(payment.refundedAmount);
    held = held.plus(left);
    const share = left.lt(open) ? left : open;
    if (share.gt(0)) shares.push({ payment, amount: share.toFixed() });
    open = open.minus(share);
  }
  if (held.eq(0)) throw new AppError("INVALID_STATE", "No money is held that could be refunded");
  if (shares.length === 0) throw invalidInput([{ path: "amount", code: "too_small", message: "Must be more than 0" }]);
  if (open.gt(0)) {
    const message = `Must be at most ${held.toFixed()}, what is captured and not refunded`;
    throw invalidInput([{ path: given == null ? "items" : "amount", code: "too_big", message }]);
  }
  return shares;
}

async function returnUnits(
  em: EntityManager,
  shop: Shop,
  caller: Caller,
  order: LockedOrder,
  refunded: { refundId: string; units: ReadonlyMap<string, number>; input: RefundInput },
): Promise<void> {
  const { refundId, units, input } = refunded;
  const items = input.items ?? [];
  if (items.length === 0) return;
  await em.insertMany(
    RefundItem,
    items.map(({ itemId, quantity, restock: restocked }) => ({
      shopId: shop.id,
      refundId,
      itemId,
      quantity,
      restocked,
    })),
  );
  await addUnits(em, shop, "refunded_quantity", units);
  const back = new Map(items.filter((item) => item.restock).map(({ itemId, quantity }) => [itemId, quantity]));
  await restock(em, shop, caller, order, { units: back, reason: StockReason.RETURNED });
}

async function returnMoney(
  em: EntityManager,
  shop: Shop,
  caller: Caller,
  order: LockedOrder,
  { refundId, shares, at }: { refundId: string; shares: Share[]; at: Date },
): Promise<void> {
  await em.insertMany(
    RefundPayment,
    shares.map((share) => ({ shopId: shop.id, refundId, paymentId: share.payment.id, amount: share.amount })),
  );
  for (const { payment, amount: share } of shares) {
    const refundedAmount = sum([payment.refundedAmount, share]);
    await em.nativeUpdate(Payment, { shopId: shop.id, id: payment.id }, { refundedAmount });
  }
  const credit = sum(
    shares.filter(({ payment }) => payment.method === PaymentMethod.STORE_CREDIT).map((share) => share.amount),
  );
  if (new Big(credit).eq(0)) return;
  await changeStoreCredit(em, shop.id, caller, {
    customerId: order.customerId!,
    amount: credit,
    reason: "Refund",
    orderId: order.id,
    at,
  });
}

async function saveRefunded(
  em: EntityManager,
  shop: Shop,
  order: LockedOrder,
  { units, shares, total, at }: { units: ReadonlyMap<string, number>; shares: Share[]; total: string; at: Date },
): Promise<void> {
  const payments = order.payments.map((payment) => {
    const share = shares.find((candidate) => candidate.payment === payment);
    return share ? { ...payment, refundedAmount: sum([payment.refundedAmount, share.amount]) } : payment;
  });
  const items = order.items.map((item) => ({
    ...item,
    refundedQuantity: item.refundedQuantity + (units.get(item.id) ?? 0),
  }));
  const refundedAmount = sum([order.refundedAmount, total]);
  const change = {
    refundedAmount,
    paymentStatus: paymentStatusOf(order.totalAmount, payments),
    fulfillmentStatus: fulfillmentStatusOf(items),
    ...(new Big(refundedAmount).eq(order.totalAmount) && { status: OrderStatus.REFUNDED }),
  };
  // The refund's own event tells of it.
  await saveOrder(em, shop, order, change, { topic: undefined, at });
}
