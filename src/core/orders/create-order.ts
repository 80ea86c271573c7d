import { invalidInput, type InputIssue } from "../model/errors.ts";
import { newId } from "../model/ids.ts";
import { Big, inCurrency, largestAmount, type Currency } from "../../platform/money.ts";
import { checkDecimals } from "../validation/amount.ts";
import { describeMoneyLeft } from "../access/actor.ts";
import { inTransaction, type Operation } from "../access/operation.ts";
import { checkCustomer } from "../customers/read-customers.ts";
import { databaseTime } from "../queries/database-time.ts";
import { runIdempotent, type IdempotencyClaim } from "../idempotency/run-idempotent.ts";
import { parseInput } from "../validation/input.ts";
import { changeStock, lockVariants, type LockedVariant } from "../stock/change-stock.ts";
import { Permission } from "../model/permissions.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { StockReason } from "../model/products/stock-change.entity.ts";
import { recordEvent } from "../webhooks/events/record-event.sql.ts";
import { insertPayments, planPayments, takeStoreCredit } from "./payments/add-payments.ts";
import { createOrderSchema, type CreateOrderRequest, type NewOrder } from "./create-order-schema.ts";
import { nextNumber } from "./numbers.ts";
import { OrderItem } from "../model/orders/order-item.entity.ts";
import { paymentStatusOf, roundingAmount } from "./order-states.ts";
import { Channel, FulfillmentStatus, OrderStatus, OrderPaymentStatus } from "../model/orders/order.enums.ts";
import { Order } from "../model/orders/order.entity.ts";
import { ExcessiveAmount, priceOrder, type PricedOrder } from "./price-order.ts";

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
  const once = { shopId: operation.shop.id, claim, operation: "createOrder", input };
  return inTransaction(operation, (inside) => runIdempotent(inside.em, once, () => placeOrder(inside, input)));
}

async function placeOrder(operation: Operation, input: NewOrder): Promise<string> {
  const { em, shop } = operation;
  const id = newId("ord");
  const variantIds = [...new Set(input.lines.map(({ variantId }) => variantId))];
  const variants = await lockVariants(operation, variantIds);
  const at = await databaseTime(em);
  const issues = [...checkLines(input, variants, shop), ...(await checkCustomer(operation, input.customerId))];
  if (issues.length > 0) throw invalidInput(issues);
  const priced = price(operation, input, variants);
  const { CONFIRMED: status } = OrderStatus;
  const draft = { id, status, customerId: input.customerId ?? null, totalAmount: priced.totalAmount, payments: [] };
  const pathOf = (index: number, field: string) => `payments.${index}.${field}`;
  const planned = planPayments(operation, draft, input.payments, pathOf);
  const sold = soldUnits(input, variants);
  await changeStock(operation, sold, { reason: StockReason.SOLD, orderId: id, at });
  const rounding = roundingAmount(planned);
  const totalAmount = inCurrency(new Big(priced.totalAmount).plus(rounding), shop);
  const payments = planned.map((payment) => ({ ...payment, refundedAmount: "0" }));
  const paymentStatus = paymentStatusOf({ status, totalAmount }, payments);
  const isPaid = paymentStatus === OrderPaymentStatus.PAID;
  await takeStoreCredit(operation, draft, input.payments, at);
  // Taken last, because it blocks the shop's next order until the commit.
  const orderNumber = await nextNumber(operation, "ORDER");
  const receiptNumber = isPaid && input.channel === Channel.POS ? await nextNumber(operation, "RECEIPT") : null;
  // Each event is a version, so an order that is created paid is at version 2.
  const version = isPaid ? 2 : 1;
  const amounts = { ...priced, roundingAmount: inCurrency(rounding, shop), totalAmount };
  const numbers = { orderNumber, receiptNumber };
  await insertOrder(operation, { id, input, variants, amounts, paymentStatus, ...numbers, version, at });
  await insertPayments(operation, id, planned, at);
  const event = { shopId: shop.id, createdAt: at };
  const data = { orderId: id, orderNumber };
  await recordEvent(em, { ...event, topic: "order.created", data });
  if (isPaid) await recordEvent(em, { ...event, topic: "order.paid", data: { ...data, version } });
  return id;
}

function checkLines(input: NewOrder, variants: Map<string, LockedVariant>, shop: Currency): InputIssue[] {
  const issues = checkDecimals("discount.amount", input.discount?.amount, shop);
  input.lines.forEach(({ variantId, discount, taxAmount }, index) => {
    issues.push(...checkDecimals(`lines.${index}.discount.amount`, discount?.amount, shop));
    issues.push(...checkDecimals(`lines.${index}.taxAmount`, taxAmount, shop));
    const variant = variants.get(variantId);
    const path = `lines.${index}.variantId`;
    if (!variant) issues.push({ path, code: "not_found", message: "Variant not found" });
    else if (variant.productStatus !== ProductStatus.ACTIVE) {
      issues.push({ path, code: "not_for_sale", message: "The variant's product is not active" });
    }
  });
  return issues;
}

function price({ shop, actor }: Operation, input: NewOrder, variants: Map<string, LockedVariant>): PricedOrder {
  const lines = input.lines.map((line) => ({ ...line, unitPrice: variants.get(line.variantId)!.price }));
  try {
    const priced = priceOrder(lines, input.discount, shop);
    const largest = largestAmount(shop);
    // Before discounts too, because no amount may exceed what JSON numbers represent exactly.
    if ([priced.subtotalAmount, priced.totalAmount].every((cost) => new Big(cost).lte(largest))) return priced;
    throw invalidInput([
      { path: "lines", code: "too_big", message: `The lines must cost at most ${largest} in total` },
    ]);
  } catch (error) {
    if (!(error instanceof ExcessiveAmount)) throw error;
    const { path, message, limit } = error;
    const left = describeMoneyLeft(actor, Permission.READ_PRODUCTS, limit, shop);
    throw invalidInput([{ path, code: "too_big", message: `${message}${left}` }]);
  }
}

function soldUnits(input: NewOrder, variants: Map<string, LockedVariant>) {
  const byVariant = Map.groupBy(input.lines, ({ variantId }) => variantId);
  return [...byVariant].map(([variantId, lines]) => ({
    variant: variants.get(variantId)!,
    delta: -lines.reduce((units, { quantity }) => units + quantity, 0),
  }));
}

interface OrderToInsert {
  id: string;
  input: NewOrder;
  variants: Map<string, LockedVariant>;
  amounts: PricedOrder & Pick<Order, "roundingAmount">;
  paymentStatus: OrderPaymentStatus;
  orderNumber: string;
  receiptNumber: string | null;
  version: number;
  at: Date;
}

async function insertOrder({ em, shop, actor }: Operation, order: OrderToInsert): Promise<void> {
  const { id, input, variants, at } = order;
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
    input.lines.map(({ variantId, quantity, taxRate, taxAmount }, index) => {
      const variant = variants.get(variantId)!;
      return {
        shopId: shop.id,
        id: newId("itm"),
        order: [shop.id, id] as [string, string],
        position: index + 1,
        productId: variant.productId,
        variantId,
        title: variant.productTitle,
        variantTitle: variant.title,
        sku: variant.sku,
        quantity,
        unitPrice: variant.price,
        taxRate: taxAmount == null ? taxRate : null,
        ...lines[index]!,
        fulfilledQuantity: input.isFulfilled ? quantity : 0,
      };
    }),
  );
}
