import { randomUUID } from "node:crypto";
import { z } from "zod";
import { inTransaction, type Operation } from "../access/operation.ts";
import { createCustomer, updateCustomer } from "../customers/customers.ts";
import { Customer } from "../model/customers/customer.entity.ts";
import { enumType } from "../model/enum-type.ts";
import { AppError, invalidInput } from "../model/errors.ts";
import { isId } from "../model/ids.ts";
import { Order } from "../model/orders/order.entity.ts";
import { Payment } from "../model/orders/payment.entity.ts";
import { Product, Variant } from "../model/products/product.entity.ts";
import { topicNames, type Topic, type TopicData } from "../model/webhooks/topics.ts";
import { cancelOrder } from "../orders/changes/cancel-order.ts";
import { fulfillOrder } from "../orders/changes/fulfill-order.ts";
import { updateOrder } from "../orders/changes/update-order.ts";
import type { CreateOrderRequest } from "../orders/create-order-schema.ts";
import { createOrder } from "../orders/create-order.ts";
import { recordPayment } from "../orders/payments/record-payment.ts";
import { refundOrder } from "../orders/payments/refund-order.ts";
import { settlePayment } from "../orders/payments/settle-payment.ts";
import { createProduct } from "../products/create-product.ts";
import { deleteProduct } from "../products/edits/edit-product.ts";
import { updateProduct } from "../products/edits/update-product.ts";
import { databaseTime } from "../queries/database-time.ts";
import { parseInput } from "../validation/input.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { sampleData } from "../webhooks/events/test-events.ts";

/** A change of an order and its first payment. */
type Step = (operation: Operation, orderId: string, payment: Payment) => Promise<unknown>;

/** The amount of a part of an order. Less than the price of what is sold. */
const PART = "1";

const card = (status: "PENDING" | "AUTHORIZED" | "CAPTURED", amount?: string) =>
  ({ method: "CARD", status, amount }) as const;
const fulfill: Step = (operation, orderId) => fulfillOrder(operation, orderId, {});
const cancel = (operation: Operation, orderId: string) => cancelOrder(operation, orderId, {});
const fail: Step = (operation, _, { id }) => settlePayment(operation, id, { status: "FAILED" });
const capture: Step = (operation, _, { id }) => settlePayment(operation, id, { status: "CAPTURED" });
const refundPart = (operation: Operation, orderId: string) => refundOrder(operation, orderId, { amount: PART });
const refund: Step = (operation, orderId, { amount }) => refundOrder(operation, orderId, { amount });

/** The states with their description, the payments of the new order, and its changes. */
const states = {
  UNPAID: ["Without payments.", []],
  AUTHORIZED_AND_PENDING: [
    "With an authorized and a pending card payment.",
    [card("AUTHORIZED", PART), card("PENDING")],
  ],
  PAYMENT_FAILED: ["With a card payment that failed.", [card("PENDING")], fail],
  PARTIALLY_PAID: ["With a card payment of a part.", [card("CAPTURED", PART)]],
  PAID: ["Paid by card.", [card("CAPTURED")]],
  FULFILLED: ["Paid by card and fulfilled.", [card("CAPTURED")], fulfill],
  PARTIALLY_REFUNDED: ["Paid by card, and a part refunded.", [card("CAPTURED")], refundPart],
  REFUNDED: ["Paid by card, and everything refunded.", [card("CAPTURED")], refund],
  CANCELLED: ["Cancelled, with a voided card payment.", [card("AUTHORIZED")], cancel],
  LATE_CAPTURE: ["Cancelled before its card payment was captured: overpaid.", [card("AUTHORIZED")], cancel, capture],
} satisfies Record<string, [string, NonNullable<CreateOrderRequest["payments"]>, ...Step[]]>;
export type SimulatedOrderState = keyof typeof states;

const descriptions = Object.entries(states).map(([name, [description]]) => [name, description]);
export const SimulatedOrderState = enumType(
  "SimulatedOrderState",
  "The state of a simulated order.",
  Object.fromEntries(descriptions) as Record<SimulatedOrderState, string>,
);

/** Orders a unit of the oldest variant that can be sold. Each change of the order commits, as those of a client do. */
export async function simulateOrder(operation: Operation, state: SimulatedOrderState): Promise<string> {
  const { em, shop } = operation;
  const isStocked = [{ isStockTracked: false }, { inventoryQuantity: { $gt: 0 } }];
  const isSellable = { shopId: shop.id, product: { status: "ACTIVE" }, price: { $gt: PART }, $or: isStocked } as const;
  const oldest = { orderBy: { id: "asc" }, disableIdentityMap: true } as const;
  const variant = await em.findOne(Variant, isSellable, oldest);
  if (!variant) {
    const message = `The sandbox has no active product in stock that costs more than ${PART} ${shop.currency}`;
    throw new AppError("INVALID_STATE", message, { hint: "Create one, or reset the sandbox with sample data." });
  }
  const [, payments, ...steps] = states[state] as [string, CreateOrderRequest["payments"], ...Step[]];
  const lines = [{ variantId: variant.id, quantity: 1 }];
  const orderId = await createOrder(operation, { channel: "STOREFRONT", lines, payments });
  const payment = await em.findOne(Payment, { shopId: shop.id, order: [shop.id, orderId] }, oldest);
  for (const step of steps) await step(operation, orderId, payment!);
  return orderId;
}

const newText = () => `Simulated at ${new Date().toISOString()}`;

/** The change that an event reports. The state of the record may not allow it. */
const changes: { [Name in Topic]?: (operation: Operation, id: string) => Promise<unknown> } = {
  "order.updated": (operation, id) => updateOrder(operation, id, { notes: newText() }),
  "order.paid": (operation, id) => recordPayment(operation, id, card("CAPTURED")),
  "order.cancelled": cancel,
  "order.refunded": refundPart,
  "product.updated": (operation, id) => updateProduct(operation, { id, request: { description: newText() } }),
  "product.deleted": (operation, id) => deleteProduct(operation, id),
  "customer.updated": (operation, id) => updateCustomer(operation, id, { note: newText() }),
};

async function createRecord(operation: Operation, topic: Topic): Promise<string> {
  if (topic.startsWith("order.")) return simulateOrder(operation, topic === "order.refunded" ? "PAID" : "UNPAID");
  if (topic.startsWith("product.")) {
    return (await createProduct(operation, { title: newText(), variants: [{ price: "10" }] })).id;
  }
  const email = `${randomUUID()}@example.com`;
  return createCustomer(operation, { email, firstName: "Sample", lastName: "Customer" });
}

/** Returns the fields of events that are the record's. */
async function findRecord({ em, shop }: Operation, topic: Topic, id: string): Promise<Record<string, unknown>> {
  const [noun] = topic.split(".") as ["order" | "product" | "customer"];
  const entity = { order: Order, product: Product, customer: Customer }[noun] as typeof Order;
  const record = isId(id) ? await em.findOne(entity, { shopId: shop.id, id }, { disableIdentityMap: true }) : null;
  if (record) return { ...record, [`${noun}Id`]: id };
  throw invalidInput([{ path: "recordId", code: "not_found", message: `The sandbox has no ${noun} with this ID` }]);
}

const requestSchema = z.strictObject({ topic: z.enum(topicNames), recordId: z.string().nullish() });

/**
 * Causes an event by a change of the record, or of a new one. If its state does not allow the change, records the event
 * alone. Returns the event's body.
 *
 * @throws AppError VALIDATION_FAILED; INVALID_STATE when no product can be sold
 */
export async function simulateEvent(operation: Operation, request: z.input<typeof requestSchema>): Promise<string> {
  const { topic, recordId } = parseInput(requestSchema, request);
  const recorded: NonNullable<Operation["recorded"]> = [];
  const recording = { ...operation, recorded };
  const id = recordId ?? (await createRecord(recording, topic));
  const record = await findRecord(operation, topic, id);
  await changes[topic]?.(recording, id).catch((error: unknown) => {
    if (!(error instanceof AppError)) throw error;
  });
  const findBody = () => recorded.findLast((event) => event.topic === topic)?.body;
  if (!findBody()) {
    const sample = Object.entries(sampleData(topic, operation.shop));
    const data = Object.fromEntries(sample.map(([name, value]) => [name, record[name] ?? value])) as TopicData<Topic>;
    await inTransaction(recording, async (inside) =>
      recordEvent(inside, { topic, data, createdAt: await databaseTime(inside.em) }),
    );
  }
  return findBody()!;
}
