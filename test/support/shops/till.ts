import { expect } from "chai";
import { beforeEach } from "mocha";
import { importProduct } from "../factories.ts";
import type { TestServer } from "../server.ts";
import { World } from "../world.ts";

const ORDER = `
  id orderNumber receiptNumber status paymentStatus fulfillmentStatus channel notes version
  pricesIncludeTax subtotalAmount discountAmount taxAmount roundingAmount totalAmount refundedAmount overpaidAmount cancelReason
  customer { id }
  items { id productId variantId title variantTitle sku quantity unitPrice discountAmount taxRate taxAmount totalAmount
    fulfilledQuantity refundedQuantity restockedQuantity }
  payments { id method status amount tendered change refundedAmount roundingAmount refundedRoundingAmount isLateCapture reference processedAt }
  refunds { id amount taxAmount reason items { itemId quantity taxAmount restocked } payments { paymentId amount } }`;

export const CREATE = `mutation ($shopId: ID!, $input: CreateOrderInput!, $idempotencyKey: String) {
  order: createOrder(shopId: $shopId, input: $input, idempotencyKey: $idempotencyKey) { ${ORDER} } }`;
export const QUOTE = `query ($shopId: ID!, $input: QuoteOrderInput!) { shop(id: $shopId) { quoteOrder(input: $input) {
  lines { productId variantId title variantTitle sku quantity unitPrice discountAmount taxRate taxAmount totalAmount }
  subtotalAmount discountAmount taxAmount totalAmount cash: amountToPay(method: CASH) card: amountToPay(method: CARD)
  problems { path code message } } } }`;
export const PAY = `mutation ($shopId: ID!, $id: ID!, $input: PaymentInput!, $idempotencyKey: String, $expectedVersion: Int) {
  order: recordPayment(shopId: $shopId, orderId: $id, input: $input, idempotencyKey: $idempotencyKey,
    expectedVersion: $expectedVersion) { ${ORDER} } }`;
export const SETTLE = `mutation ($shopId: ID!, $id: ID!, $input: SettlePaymentInput!) {
  order: settlePayment(shopId: $shopId, paymentId: $id, input: $input) { ${ORDER} } }`;
export const FULFILL = `mutation ($shopId: ID!, $id: ID!, $input: FulfillOrderInput!, $expectedVersion: Int) {
  order: fulfillOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;
export const CANCEL = `mutation ($shopId: ID!, $id: ID!, $input: CancelOrderInput!, $expectedVersion: Int) {
  order: cancelOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;
export const REFUND = `mutation ($shopId: ID!, $id: ID!, $input: RefundOrderInput!, $idempotencyKey: String, $expectedVersion: Int) {
  order: refundOrder(shopId: $shopId, id: $id, input: $input, idempotencyKey: $idempotencyKey,
    expectedVersion: $expectedVersion) { ${ORDER} } }`;
export const UPDATE = `mutation ($shopId: ID!, $id: ID!, $input: UpdateOrderInput!, $expectedVersion: Int) {
  order: updateOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;

/** A cashier in a new shop with ten mugs at 10.00 and ten plates at 3.33. */
export class Till extends World {
  productId!: string;
  mug!: { id: string };
  plate!: { id: string };

  protected override async furnish(): Promise<void> {
    const product = await importProduct(this.server.em, this.shop, {
      variants: [
        { price: "10.00", sku: "MUG", inventoryQuantity: 10 },
        { price: "3.33", sku: "PLATE", inventoryQuantity: 10 },
      ],
    });
    this.productId = product.id;
    this.mug = product.variants[0]!;
    this.plate = product.variants[1]!;
  }

  /** The order in the answer to the document. */
  // oxlint-disable-next-line typescript/no-explicit-any -- orders of whatever fields
  async must(document: string, variables: Record<string, unknown>): Promise<any> {
    const { data, errors } = await this.ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data.order;
  }

  /** Changes settings of the shop. */
  async updateShop(input: Record<string, unknown>): Promise<void> {
    await this.run("updateShop", { input });
  }

  async refused(document: string, variables: Record<string, unknown>): Promise<Refusal> {
    const { data, errors } = await this.ask(document, variables);
    expect(data, JSON.stringify(data)).to.equal(null);
    expect(errors).to.have.length(1);
    const { code, issues = [] } = errors[0]!.extensions as { code: string; issues?: { path: string; code: string }[] };
    return { code, issues: issues.map((issue) => `${issue.path} ${issue.code}`) };
  }

  /** Creates an order, of two mugs by default. */
  sale(overrides: Record<string, unknown> = {}) {
    return { input: { channel: "POS", lines: [{ variantId: this.mug.id, quantity: 2, taxRate: "19" }], ...overrides } };
  }

  async stockOf(variant: { id: string }): Promise<number> {
    const [row] = await this.sql<{ stock: number }>(
      "select inventory_quantity as stock from variants where shop_id = $1 and id = $2",
      variant.id,
    );
    return row!.stock;
  }

  /** Topics of the events since the last call, in alphabetical order. */
  async takeEvents(): Promise<string[]> {
    const rows = await this.sql<{ topic: string }>(
      "with taken as (delete from events where shop_id = $1 returning topic) select topic from taken order by topic",
    );
    return rows.map(({ topic }) => topic);
  }
}

/** An error's code, and its issues as path and code. */
export interface Refusal {
  code: string;
  issues: string[];
}

/** Registers hooks that open a till in a new shop for each test. */
export function useTill(server: TestServer): Till {
  const till = new Till(server);
  beforeEach("open a till", () => till.open());
  return till;
}
