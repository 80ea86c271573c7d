import { ObjectType } from "type-graphql";
import { Big, largestAmount, type Currency } from "../../platform/money.ts";
import { describeMoneyLeft } from "../access/actor.ts";
import type { Operation } from "../access/operation.ts";
import { checkCustomer } from "../customers/read-customers.ts";
import type { InputIssue } from "../model/errors.ts";
import { field, nullable, objectOf } from "../model/fields.ts";
import { lineFields, type OrderLine } from "../model/orders/order-item.entity.ts";
import { Permission } from "../model/permissions.ts";
import { ProductStatus } from "../model/products/product.enums.ts";
import { DecimalScalar } from "../model/scalars.ts";
import { findStockError, readVariants, type LockedVariant, type StockDelta } from "../stock/change-stock.ts";
import { parseInput } from "../validation/input.ts";
import { quoteOrderSchema, type OrderDraft, type QuoteOrderRequest } from "./create-order-schema.ts";
import { ExcessiveAmount, priceOrder, type LineToPrice, type PricedOrder } from "./price-order.ts";
import { checkDecimals } from "../validation/amount.ts";

@ObjectType({ description: "A line of an order that is not placed, with product data of now.", simpleResolvers: true })
export class QuotedLine extends objectOf(lineFields) {}

@ObjectType({ description: "A reason for which `createOrder` would refuse the order.", simpleResolvers: true })
export class QuoteProblem extends objectOf({
  path: field(String, "The part of the input, such as `lines.0.quantity`."),
  code: field(String, "The reason, such as `insufficient_stock`, `not_for_sale` or `not_found`."),
  message: field(String, "The reason as a sentence."),
}) {}

const UNPRICED = "Null if a problem prevents the calculation, such as an unknown variant.";

@ObjectType({
  description: "The price of an order that is not placed. Nothing is reserved: prices and stock can change.",
  simpleResolvers: true,
})
export class OrderQuote extends objectOf({
  lines: nullable([QuotedLine], `The lines, in the order of the input. ${UNPRICED}`),
  subtotalAmount: nullable(DecimalScalar, `See \`Order.subtotalAmount\`. ${UNPRICED}`),
  discountAmount: nullable(DecimalScalar, `See \`Order.discountAmount\`. ${UNPRICED}`),
  taxAmount: nullable(DecimalScalar, `See \`Order.taxAmount\`. ${UNPRICED}`),
  totalAmount: nullable(
    DecimalScalar,
    `The total before the rounding of cash, for \`CreateOrderInput.expectedTotal\`. ${UNPRICED}`,
  ),
  problems: field([QuoteProblem], "Why `createOrder` would refuse the order now. Empty if it would not."),
}) {
  shopId!: string;
}

const unpriced = { lines: null, subtotalAmount: null, discountAmount: null, taxAmount: null, totalAmount: null };

/** An order with the prices of now. */
export interface PricedDraft {
  /** Why it cannot be placed, except for stock. */
  issues: InputIssue[];
  /** Undefined if an issue prevents the calculation. */
  priced?: Omit<PricedOrder, "lines"> & { lines: OrderLine[] };
}

/** Prices an order without placing it. @throws AppError VALIDATION_FAILED for input of the wrong shape */
export async function quoteOrder(operation: Operation, request: QuoteOrderRequest): Promise<OrderQuote> {
  const input = parseInput(quoteOrderSchema, request);
  const variants = await readVariants(operation, variantIdsOf(input));
  const ofCustomer = await checkCustomer(operation, input.customerId);
  const { issues, priced } = priceDraft(operation, input, variants, ofCustomer);
  const known = { ...input, lines: input.lines.filter(({ variantId }) => variants.has(variantId)) };
  const ofStock = soldUnits(known, variants).flatMap((sold): InputIssue[] => {
    const error = findStockError(operation, sold);
    const index = input.lines.findIndex(({ variantId }) => variantId === sold.variant.id);
    return error ? [{ path: `lines.${index}.quantity`, code: error.code.toLowerCase(), message: error.message }] : [];
  });
  return { shopId: operation.shop.id, problems: [...issues, ...ofStock], ...(priced ?? unpriced) };
}

export const variantIdsOf = ({ lines }: OrderDraft) => [...new Set(lines.map(({ variantId }) => variantId))];

/** Prices an order, and finds what is wrong with it, as it is placed and quoted. */
export function priceDraft(
  operation: Operation,
  input: OrderDraft,
  variants: Map<string, LockedVariant>,
  ofCustomer: InputIssue[],
): PricedDraft {
  const { shop } = operation;
  const issues = [...checkAmounts(input, shop), ...checkVariants(input, variants)];
  const isPriced = issues.every(({ code }) => code === NOT_FOR_SALE);
  const priced = isPriced ? price(operation, input, variants) : undefined;
  if (!priced || "code" in priced) return { issues: [...issues, ...(priced ? [priced] : []), ...ofCustomer] };
  return { issues: [...issues, ...ofCustomer], priced };
}

function checkAmounts({ discount: whole, lines }: OrderDraft, shop: Currency): InputIssue[] {
  const ofLines = lines.flatMap(({ discount, taxAmount }, index) => [
    ...checkDecimals(`lines.${index}.discount.amount`, discount?.amount, shop),
    ...checkDecimals(`lines.${index}.taxAmount`, taxAmount, shop),
  ]);
  return [...checkDecimals("discount.amount", whole?.amount, shop), ...ofLines];
}

const NOT_FOR_SALE = "not_for_sale";

function checkVariants({ lines }: OrderDraft, variants: Map<string, LockedVariant>): InputIssue[] {
  return lines.flatMap(({ variantId }, index) => {
    const variant = variants.get(variantId);
    const path = `lines.${index}.variantId`;
    if (!variant) return [{ path, code: "not_found", message: "Variant not found" }];
    if (variant.productStatus === ProductStatus.ACTIVE) return [];
    return [{ path, code: NOT_FOR_SALE, message: "The variant's product is not active" }];
  });
}

function price(
  { shop, actor }: Operation,
  input: OrderDraft,
  variants: Map<string, LockedVariant>,
): PricedDraft["priced"] | InputIssue {
  const lines = input.lines.map((line): LineToPrice & { variant: LockedVariant } => {
    const variant = variants.get(line.variantId)!;
    return { ...line, variant, unitPrice: variant.price, taxRate: line.taxRate ?? shop.defaultTaxRate ?? "0" };
  });
  try {
    const priced = priceOrder(lines, input.discount, shop);
    const largest = largestAmount(shop);
    // Before discounts too, because no amount may exceed what JSON numbers represent exactly.
    if ([priced.subtotalAmount, priced.totalAmount].some((cost) => new Big(cost).gt(largest))) {
      return { path: "lines", code: "too_big", message: `The lines must cost at most ${largest} in total` };
    }
    return { ...priced, lines: lines.map((line, index) => ({ ...snapshotOf(line), ...priced.lines[index]! })) };
  } catch (error) {
    if (!(error instanceof ExcessiveAmount)) throw error;
    const { path, message, limit } = error;
    const left = describeMoneyLeft(actor, Permission.READ_PRODUCTS, limit, shop);
    return { path, code: "too_big", message: `${message}${left}` };
  }
}

function snapshotOf({ variant, quantity, unitPrice, taxRate, taxAmount }: LineToPrice & { variant: LockedVariant }) {
  return {
    productId: variant.productId,
    variantId: variant.id,
    title: variant.productTitle,
    variantTitle: variant.title,
    sku: variant.sku,
    quantity,
    unitPrice,
    taxRate: taxAmount == null ? taxRate : null,
  };
}

/** The units that an order takes from the stock of each variant. */
export function soldUnits(input: OrderDraft, variants: Map<string, LockedVariant>): StockDelta[] {
  const byVariant = Map.groupBy(input.lines, ({ variantId }) => variantId);
  return [...byVariant].map(([variantId, lines]) => ({
    variant: variants.get(variantId)!,
    delta: -lines.reduce((units, { quantity }) => units + quantity, 0),
  }));
}
