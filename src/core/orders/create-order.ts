import { invalidInput } from "../model/errors.ts";
import { newId } from "../model/ids.ts";
import { Big, inCurrency } from "../../platform/money.ts";
import { inTransaction, type Operation } from "../access/operation.ts";
import { mayRead } from "../access/actor.ts";
import { Permission } from "../model/permissions.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { checkCustomer } from "../customers/read-customers.ts";
import { changeStock, lockVariants } from "../stock/change-stock.ts";
import { StockReason } from "../model/products/stock-change.entity.ts";
import { refuseTakenMetadata, writeMetadata } from "../queries/metadata.sql.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { insertPayments, planPayments, takeStoreCredit, unrefunded } from "./payments/add-payments.ts";
import { overpaidAmount } from "./payments/refund-lines.ts";
import { createOrderSchema, type CreateOrderRequest, type NewOrder } from "./create-order-schema.ts";
import { nextNumber } from "./numbers.ts";
import { OrderItem } from "../model/orders/order-item.entity.ts";
import { paymentStatusOf, roundingAmount } from "./order-states.ts";
import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../model/orders/order.enums.ts";
import { Order } from "../model/orders/order.entity.ts";
import { priceDraft, soldUnits, variantIdsOf, type PricedDraft } from "./quote-order.ts";

/**
 * Creates an order in one transaction: takes stock, computes prices, assigns a number and records payments.
 *
 * @returns the order's id @throws AppError VALIDATION_FAILED; INSUFFICIENT_STOCK; INSUFFICIENT_STORE_CREDIT; CONFLICT
 * while the same idempotency key is in use
 */
export async function createOrder(
  operation: Operation,
  request: CreateOrderRequest,
  claim?: IdempotencyClaim,
): Promise<string> {
  const input = parseInput(createOrderSchema, request);
  const once = { shopId: operation.shop.id, claim, operation: "createOrder", input: fingerprintOf(input) };
  return inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => placeOrder(inside, input)));
}

/** As 1.0.0 read it: a tax rate was 0 by default. So a request can be sent again during an upgrade. */
function fingerprintOf(input: NewOrder) {
  const lines = input.lines.map(({ taxRate, taxAmount, ...line }) => {
    return { ...line, taxRate: taxRate ?? "0", taxAmount };
  });
  return { ...input, lines };
}

async function placeOrder(operation: Operation, input: NewOrder): Promise<string> {
  const { em, shop } = operation;
  const id = newId("ord");
  await refuseTakenMetadata(em, { shopId: shop.id, id }, input);
  const variants = await lockVariants(operation, variantIdsOf(input));
  const at = await databaseTime(em);
  const ofCustomer = await checkCustomer(operation, input.customerId, "forKeyShare");
  const { issues, priced } = priceDraft(operation, input, variants, ofCustomer);
  if (!priced || issues.length > 0) throw invalidInput(issues);
  checkTotal(operation, priced.totalAmount, input.expectedTotal);
  const { CONFIRMED: status } = OrderStatus;
  const draft = { id, status, customerId: input.customerId ?? null, totalAmount: priced.totalAmount, payments: [] };
  const pathOf = (index: number, field: string) => `payments.${index}.${field}`;
  const planned = planPayments(operation, draft, input.payments, pathOf);
  const sold = soldUnits(input, variants);
  await changeStock(operation, sold, { reason: StockReason.SOLD, orderId: id, at });
  const rounding = roundingAmount(planned);
  const totalAmount = inCurrency(new Big(priced.totalAmount).plus(rounding), shop);
  const payments = planned.map((payment) => ({ ...payment, ...unrefunded }));
  const paymentStatus = paymentStatusOf({ status, totalAmount }, payments);
  const isPaid = paymentStatus === OrderPaymentStatus.PAID;
  await takeStoreCredit(operation, draft, planned, at);
  // Taken last, because it blocks the shop's next order until the commit.
  const orderNumber = await nextNumber(operation, "ORDER");
  const receiptNumber = isPaid && input.channel === Channel.POS ? await nextNumber(operation, "RECEIPT") : null;
  // Each event is a version, so an order that is created paid is at version 2.
  const version = isPaid ? 2 : 1;
  const items = priced.lines.map(({ totalAmount: price }) => ({ totalAmount: price, refundedAmount: "0" }));
  const overpaid = inCurrency(overpaidAmount({ status, items, payments }), shop);
  const amounts = { ...priced, roundingAmount: inCurrency(rounding, shop), totalAmount, overpaidAmount: overpaid };
  const numbers = { orderNumber, receiptNumber };
  await insertOrder(operation, { id, input, amounts, paymentStatus, ...numbers, version, at });
  await insertPayments(operation, id, planned, at);
  await writeMetadata(em, shop.id, { id, metadata: input.metadata });
  const data = { orderId: id, orderNumber };
  await recordEvent(operation, { topic: "order.created", data, createdAt: at });
  if (isPaid) await recordEvent(operation, { topic: "order.paid", data: { ...data, version }, createdAt: at });
  return id;
}

function checkTotal({ actor, shop }: Operation, total: string, expected: string | null | undefined): void {
  if (expected == null || new Big(expected).eq(total)) return;
  const stated = `${expected} ${shop.currency}`;
  const message = mayRead(actor, Permission.READ_ORDERS)
    ? `The total is ${total} ${shop.currency}, not ${stated}`
    : `The total is not ${stated}`;
  throw invalidInput([{ path: "expectedTotal", code: "total_changed", message }]);
}

interface OrderToInsert {
  id: string;
  input: NewOrder;
  amounts: NonNullable<PricedDraft["priced"]> & Pick<Order, "roundingAmount" | "overpaidAmount">;
  paymentStatus: OrderPaymentStatus;
  orderNumber: string;
  receiptNumber: string | null;
  version: number;
  at: Date;
}

async function insertOrder({ em, shop, actor }: Operation, order: OrderToInsert): Promise<void> {
  const { id, input, at } = order;
  const { lines, ...amounts } = order.amounts;
  await em.insert(Order, {
    shopId: shop.id,
    id,
    orderNumber: order.orderNumber,
    receiptNumber: order.receiptNumber,
    status: OrderStatus.CONFIRMED,
    paymentStatus: order.paymentStatus,
    fulfillmentStatus: input.isFulfilled ? FulfillmentStatus.FULFILLED : FulfillmentStatus.UNFULFILLED,
    channel: input.channel,
    currency: shop.currency,
    pricesIncludeTax: shop.pricesIncludeTax,
    customer: input.customerId == null ? null : [shop.id, input.customerId],
    ...amounts,
    refundedAmount: inCurrency("0", shop),
    notes: input.notes ?? null,
    version: order.version,
    createdBy: actor.id,
    createdAt: at,
    updatedAt: at,
  });
  await em.insertMany(
    OrderItem,
    lines.map((line, index) => ({
      shopId: shop.id,
      id: newId("itm"),
      order: [shop.id, id] as [string, string],
      position: index + 1,
      ...line,
      fulfilledQuantity: input.isFulfilled ? line.quantity : 0,
    })),
  );
}
