import { expect } from "chai";
import type { Shop } from "../../src/core/shops/shop.entity.ts";
import { query } from "../support/database.ts";
import { buildCustomer, buildShop, buildStaff, grantStoreCredit, importProduct } from "../support/factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../support/graphql.ts";
import { useServer } from "../support/server.ts";

const ORDER = `
  id orderNumber receiptNumber status paymentStatus fulfillmentStatus channel notes version
  subtotalAmount discountAmount taxAmount totalAmount refundedAmount cancelReason
  customer { id }
  items { id variantId sku quantity unitPrice discountAmount taxRate taxAmount totalAmount
    fulfilledQuantity refundedQuantity restockedQuantity }
  payments { id method status amount refundedAmount reference processedAt }
  refunds { id amount reason items { itemId quantity restocked } payments { paymentId amount } }`;

const CREATE = `mutation ($shopId: ID!, $input: CreateOrderInput!, $idempotencyKey: String) {
  order: createOrder(shopId: $shopId, input: $input, idempotencyKey: $idempotencyKey) { ${ORDER} } }`;
const PAY = `mutation ($shopId: ID!, $id: ID!, $input: PaymentInput!, $idempotencyKey: String, $expectedVersion: Int) {
  order: recordPayment(shopId: $shopId, orderId: $id, input: $input, idempotencyKey: $idempotencyKey,
    expectedVersion: $expectedVersion) { ${ORDER} } }`;
const SETTLE = `mutation ($shopId: ID!, $id: ID!, $input: SettlePaymentInput!) {
  order: settlePayment(shopId: $shopId, paymentId: $id, input: $input) { ${ORDER} } }`;
const FULFILL = `mutation ($shopId: ID!, $id: ID!, $input: FulfillOrderInput!, $expectedVersion: Int) {
  order: fulfillOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;
const CANCEL = `mutation ($shopId: ID!, $id: ID!, $input: CancelOrderInput!, $expectedVersion: Int) {
  order: cancelOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;
const REFUND = `mutation ($shopId: ID!, $id: ID!, $input: RefundOrderInput!, $idempotencyKey: String, $expectedVersion: Int) {
  order: refundOrder(shopId: $shopId, id: $id, input: $input, idempotencyKey: $idempotencyKey,
    expectedVersion: $expectedVersion) { ${ORDER} } }`;
const UPDATE = `mutation ($shopId: ID!, $id: ID!, $input: UpdateOrderInput!, $expectedVersion: Int) {
  order: updateOrder(shopId: $shopId, id: $id, input: $input, expectedVersion: $expectedVersion) { ${ORDER} } }`;

describe("Orders", () => {
  const server = useServer();
  let shop: Shop;
  let session: { cookie: string };
  let mug: { id: string };
  let plate: { id: string };
  let productId: string;

  beforeEach(async () => {
    shop = await buildShop(server.em);
    session = await logIn(server, await buildStaff(server.em, shop));
    const product = await importProduct(server.em, shop, {
      variants: [
        { price: "10.00", sku: "MUG", inventoryQuantity: 10 },
        { price: "3.33", sku: "PLATE", inventoryQuantity: 10 },
      ],
    });
    productId = product.id;
    [mug, plate] = product.variants as [{ id: string }, { id: string }];
  });

  async function ask(document: string, variables: Record<string, unknown>): Promise<GraphqlAnswer> {
    return askGraphql(server, document, { shopId: shop.id, ...variables }, session);
  }

  // oxlint-disable-next-line typescript/no-explicit-any -- orders of whatever fields
  async function must(document: string, variables: Record<string, unknown>): Promise<any> {
    const { data, errors } = await ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data.order;
  }

  async function refused(document: string, variables: Record<string, unknown>): Promise<Refusal> {
    const { data, errors } = await ask(document, variables);
    expect(data, JSON.stringify(data)).to.equal(null);
    expect(errors).to.have.length(1);
    const { code, issues = [] } = errors[0]!.extensions as { code: string; issues?: { path: string; code: string }[] };
    return { code, issues: issues.map((issue) => `${issue.path} ${issue.code}`) };
  }

  function sale(overrides: Record<string, unknown> = {}) {
    return { input: { channel: "POS", lines: [{ variantId: mug.id, quantity: 2, taxRate: "19" }], ...overrides } };
  }

  async function stockOf(variant: { id: string }): Promise<number> {
    const [row] = await query<{ stock: number }>(
      server.databaseUrl,
      "select inventory_quantity as stock from variants where id = $1",
      [variant.id],
    );
    return row!.stock;
  }

  async function takeEvents(): Promise<string[]> {
    const rows = await query<{ topic: string }>(
      server.databaseUrl,
      "with taken as (delete from events where shop_id = $1 returning topic) select topic from taken order by topic",
      [shop.id],
    );
    return rows.map(({ topic }) => topic);
  }

  describe("createOrder", () => {
    it("prices the lines, takes the stock and the number, and emits order.created", async () => {
      const order = await must(CREATE, sale({ notes: "Gift wrap" }));
      expect(order).to.deep.include({
        orderNumber: "1001",
        receiptNumber: null,
        status: "CONFIRMED",
        paymentStatus: "UNPAID",
        fulfillmentStatus: "UNFULFILLED",
        channel: "POS",
        notes: "Gift wrap",
        subtotalAmount: "20",
        discountAmount: "0",
        taxAmount: "3.8",
        totalAmount: "23.8",
        customer: null,
        payments: [],
        refunds: [],
        version: 1,
      });
      expect(order.items[0]).to.include({
        sku: "MUG",
        quantity: 2,
        unitPrice: "10",
        taxRate: "19",
        totalAmount: "23.8",
      });
      expect(await stockOf(mug)).to.equal(8);
      expect(await takeEvents()).to.deep.equal(["order.created", "product.updated"]);
    });

    it("spreads the order's discount over the lines after their own", async () => {
      const lines = [
        { variantId: mug.id, quantity: 1, discount: { amount: "1.00" } },
        { variantId: plate.id, quantity: 3, discount: { percentage: "10" } },
      ];
      const order = await must(CREATE, sale({ lines, discount: { amount: "5.00" } }));
      expect(order).to.include({ subtotalAmount: "19.99", discountAmount: "7", totalAmount: "12.99" });
      const discounts = order.items.map((item: { discountAmount: string }) => Number(item.discountAmount));
      expect(discounts[0] + discounts[1]).to.be.closeTo(7, 1e-9);
    });

    it("takes payments along, and a sale at a till that is paid prints its receipt", async () => {
      const payments = [
        { method: "CASH", amount: "20" },
        { method: "CARD", amount: "3.80", reference: "ch_1" },
      ];
      const order = await must(CREATE, sale({ payments, isFulfilled: true }));
      expect(order).to.include({ paymentStatus: "PAID", fulfillmentStatus: "FULFILLED", receiptNumber: "R-000001" });
      expect(order.payments).to.have.length(2);
      expect(await takeEvents()).to.deep.equal(["order.created", "order.paid", "product.updated"]);
      const online = await must(CREATE, sale({ channel: "STOREFRONT", payments }));
      expect(online).to.include({ orderNumber: "1002", paymentStatus: "PAID", receiptNumber: null });
    });

    it("is paid from the start when it costs nothing", async () => {
      const order = await must(CREATE, sale({ discount: { percentage: "100" } }));
      expect(order).to.include({ totalAmount: "0", paymentStatus: "PAID", receiptNumber: "R-000001" });
      expect(await takeEvents()).to.include("order.paid");
    });

    it("takes store credit from the customer", async () => {
      const customer = await buildCustomer(server.em, shop);
      await grantStoreCredit(server.em, customer, "10.00");
      const payments = [{ method: "STORE_CREDIT", amount: "10.00" }];
      const order = await must(CREATE, sale({ customerId: customer.id, payments }));
      expect(order).to.deep.include({ paymentStatus: "PARTIALLY_PAID", customer: { id: customer.id } });
      expect(await takeEvents()).to.deep.equal(["customer.updated", "order.created", "product.updated"]);
      const again = await refused(CREATE, sale({ customerId: customer.id, payments }));
      expect(again.code).to.equal("INSUFFICIENT_STORE_CREDIT");
      expect(await stockOf(mug)).to.equal(8);
      expect(await takeEvents()).to.deep.equal([]);
    });

    it("names everything that is wrong, and changes nothing", async () => {
      const foreign = await importProduct(server.em, await buildShop(server.em), { variants: [{}] });
      const draft = await importProduct(server.em, shop, { status: "DRAFT" as never });
      const cases: [Record<string, unknown>, string[]][] = [
        [{ lines: [] }, ["lines too_small"]],
        [{ lines: [{ variantId: mug.id, quantity: 0 }] }, ["lines.0.quantity too_small"]],
        [{ lines: [{ variantId: mug.id, quantity: 100_001 }] }, ["lines.0.quantity too_big"]],
        [{ lines: [{ variantId: foreign.variants[0]!.id, quantity: 1 }] }, ["lines.0.variantId not_found"]],
        [{ lines: [{ variantId: "nonsense\u0000", quantity: 1 }] }, ["lines.0.variantId not_found"]],
        [{ lines: [{ variantId: draft.variants[0]!.id, quantity: 1 }] }, ["lines.0.variantId not_for_sale"]],
        [{ lines: [{ variantId: mug.id, quantity: 1, taxRate: "101" }] }, ["lines.0.taxRate too_big"]],
        [{ lines: [{ variantId: mug.id, quantity: 1, taxRate: "1.00001" }] }, ["lines.0.taxRate too_many_decimals"]],
        [{ customerId: "nobody" }, ["customerId not_found"]],
        [{ notes: "\u0000" }, ["notes invalid_text"]],
        [{ discount: {} }, ["discount invalid_value"]],
        [{ discount: { amount: "1", percentage: "1" } }, ["discount invalid_value"]],
        [{ discount: { amount: "20.01" } }, ["discount.amount too_big"]],
        [{ discount: { amount: "0.001" } }, ["discount.amount too_many_decimals"]],
        [{ discount: { percentage: "0" } }, ["discount.percentage too_small"]],
        [{ payments: [{ method: "CASH", amount: "23.81" }] }, ["payments.0.amount too_big"]],
        [{ payments: [{ method: "CASH", amount: "-1" }] }, ["payments.0.amount too_small"]],
        [{ payments: [{ method: "CASH", amount: "1", status: "VOIDED" }] }, ["payments.0.status invalid_value"]],
        [{ payments: [{ method: "STORE_CREDIT", amount: "1" }] }, ["payments.0.method invalid_value"]],
        [
          { customerId: "x", lines: [{ variantId: "x", quantity: 1 }] },
          ["lines.0.variantId not_found", "customerId not_found"],
        ],
      ];
      for (const [overrides, expected] of cases) {
        const { code, issues } = await refused(CREATE, sale(overrides));
        expect(code, JSON.stringify(overrides)).to.equal("VALIDATION_FAILED");
        expect(issues, JSON.stringify(overrides)).to.deep.equal(expected);
      }
      expect(await takeEvents()).to.deep.equal([]);
      expect(await stockOf(mug)).to.equal(10);
      expect((await must(CREATE, sale())).orderNumber).to.equal("1001");
    });

    it("happens once for an idempotency key", async () => {
      const variables = { ...sale(), idempotencyKey: "till-1/42" };
      const answers = await Promise.all([1, 2, 3].map(() => must(CREATE, variables)));
      expect(new Set(answers.map(({ id }) => id)).size).to.equal(1);
      expect(await stockOf(mug)).to.equal(8);
      const other = await refused(CREATE, { ...sale({ notes: "Other" }), idempotencyKey: "till-1/42" });
      expect(other.code).to.equal("VALIDATION_FAILED");
      expect((await refused(CREATE, { ...sale(), idempotencyKey: "" })).issues).to.deep.equal([
        "idempotencyKey too_small",
      ]);
    });

    it("sells the last unit once, however many want it at once", async function () {
      this.timeout(30_000);
      await query(server.databaseUrl, "update variants set inventory_quantity = 1 where id = $1", [mug.id]);
      const one = sale({ lines: [{ variantId: mug.id, quantity: 1 }] });
      const answers = await Promise.all(Array.from({ length: 200 }, () => ask(CREATE, one)));
      const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
      expect(answers.filter(({ data }) => data?.order)).to.have.length(1);
      expect(new Set(codes)).to.deep.equal(new Set(["INSUFFICIENT_STOCK"]));
      expect(codes).to.have.length(199);
      expect(await stockOf(mug)).to.equal(0);
    });

    it("sells below zero where the shop oversells", async () => {
      await query(server.databaseUrl, "update shops set oversells = true where id = $1", [shop.id]);
      await must(CREATE, sale({ lines: [{ variantId: mug.id, quantity: 12 }] }));
      expect(await stockOf(mug)).to.equal(-2);
    });

    it("gives numbers without gaps, also when orders fail beside those that succeed", async function () {
      this.timeout(30_000);
      await query(server.databaseUrl, "update variants set inventory_quantity = 60 where id = $1", [mug.id]);
      const paid = sale({
        lines: [{ variantId: mug.id, quantity: 2 }],
        payments: [{ method: "CASH", amount: "20.00" }],
      });
      await Promise.all(Array.from({ length: 45 }, () => ask(CREATE, paid)));
      const rows = await query<{ number: string; receipt: string }>(
        server.databaseUrl,
        "select order_number as number, receipt_number as receipt from orders where shop_id = $1",
        [shop.id],
      );
      expect(rows).to.have.length(30);
      const numbers = rows.map(({ number }) => Number(number)).toSorted((a, b) => a - b);
      expect(numbers).to.deep.equal(Array.from({ length: 30 }, (_, index) => 1_001 + index));
      const receipts = rows.map(({ receipt }) => receipt).toSorted();
      expect(receipts).to.deep.equal(
        Array.from({ length: 30 }, (_, index) => `R-${String(index + 1).padStart(6, "0")}`),
      );
    });

    it("does not deadlock when orders take the same variants in other orders", async function () {
      this.timeout(30_000);
      const other = await importProduct(server.em, shop, { variants: [{ price: "1.00", inventoryQuantity: 1_000 }] });
      await query(server.databaseUrl, "update variants set inventory_quantity = 1000 where shop_id = $1", [shop.id]);
      const lines = [mug, other.variants[0]!, plate].map(({ id }) => ({ variantId: id, quantity: 1 }));
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          ask(CREATE, sale({ lines: index % 2 === 0 ? lines : lines.toReversed() })),
        ),
      );
      expect(answers.flatMap(({ errors }) => errors)).to.deep.equal([]);
    });
  });

  describe("payments", () => {
    it("add up to PAID, which is told once", async () => {
      const { id } = await must(CREATE, sale());
      await takeEvents();
      const first = await must(PAY, { id, input: { method: "CASH", amount: "3.80" } });
      expect(first).to.include({ paymentStatus: "PARTIALLY_PAID", receiptNumber: null, version: 2 });
      expect(await takeEvents()).to.deep.equal(["order.updated"]);
      const second = await must(PAY, { id, input: { method: "CARD", amount: "20.00" } });
      expect(second).to.include({ paymentStatus: "PAID", receiptNumber: "R-000001", version: 3 });
      expect(await takeEvents()).to.deep.equal(["order.paid"]);
      const more = await refused(PAY, { id, input: { method: "CASH", amount: "0.01" } });
      expect(more).to.deep.equal({ code: "VALIDATION_FAILED", issues: ["amount too_big"] });
    });

    it("may be settled later, and what has failed covers nothing", async () => {
      const { id } = await must(CREATE, sale());
      const pending = await must(PAY, { id, input: { method: "CARD", amount: "23.80", status: "PENDING" } });
      expect(pending).to.include({ paymentStatus: "UNPAID" });
      const [payment] = pending.payments;
      expect(payment).to.include({ status: "PENDING", processedAt: null });
      expect((await refused(PAY, { id, input: { method: "CASH", amount: "1" } })).issues).to.deep.equal([
        "amount too_big",
      ]);
      await must(SETTLE, { id: payment.id, input: { status: "AUTHORIZED", reference: "ch_7" } });
      await takeEvents();
      const again = await must(SETTLE, { id: payment.id, input: { status: "AUTHORIZED" } });
      expect(again.payments[0]).to.include({ status: "AUTHORIZED", reference: "ch_7" });
      expect(await takeEvents()).to.deep.equal([]);
      await must(SETTLE, { id: payment.id, input: { status: "FAILED" } });
      expect(await takeEvents()).to.deep.equal(["order.updated"]);
      expect((await refused(SETTLE, { id: payment.id, input: { status: "CAPTURED" } })).code).to.equal("INVALID_STATE");
      const retried = await must(PAY, { id, input: { method: "CARD", amount: "23.80", status: "AUTHORIZED" } });
      const captured = await must(SETTLE, { id: retried.payments[1].id, input: { status: "CAPTURED" } });
      expect(captured).to.include({ paymentStatus: "PAID", receiptNumber: "R-000001" });
      expect(captured.payments[1].processedAt).to.be.a("string");
    });

    it("cannot exceed the order when many come at once", async () => {
      const { id } = await must(CREATE, sale());
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => ask(PAY, { id, input: { method: "CASH", amount: "11.90" } })),
      );
      expect(answers.filter(({ data }) => data?.order)).to.have.length(2);
    });
  });

  describe("fulfillOrder", () => {
    it("counts units line by line until nothing remains", async () => {
      const order = await must(CREATE, sale());
      const { id } = order;
      const items = [{ itemId: order.items[0].id, quantity: 1 }];
      await takeEvents();
      expect(await must(FULFILL, { id, input: { items } })).to.include({ fulfillmentStatus: "PARTIALLY_FULFILLED" });
      expect(await takeEvents()).to.deep.equal(["order.updated"]);
      const tooMany = await refused(FULFILL, { id, input: { items: [{ ...items[0], quantity: 2 }] } });
      expect(tooMany.issues).to.deep.equal(["items.0.quantity too_big"]);
      const twice = await refused(FULFILL, { id, input: { items: [...items, ...items] } });
      expect(twice.issues).to.deep.equal(["items.1.itemId repeated"]);
      expect(await must(FULFILL, { id, input: {} })).to.include({ fulfillmentStatus: "FULFILLED", version: 3 });
      expect((await refused(FULFILL, { id, input: {} })).code).to.equal("INVALID_STATE");
    });
  });

  describe("cancelOrder", () => {
    it("puts the stock back, voids what is not settled, and is told", async () => {
      const { id } = await must(CREATE, sale({ payments: [{ method: "CARD", amount: "5", status: "PENDING" }] }));
      await takeEvents();
      const order = await must(CANCEL, { id, input: { reason: "Changed their mind" } });
      expect(order).to.include({ status: "CANCELLED", paymentStatus: "VOIDED", cancelReason: "Changed their mind" });
      expect(order.payments[0].status).to.equal("VOIDED");
      expect(order.items[0].restockedQuantity).to.equal(2);
      expect(await stockOf(mug)).to.equal(10);
      expect(await takeEvents()).to.deep.equal(["order.cancelled", "product.updated"]);
      for (const [document, input] of [
        [CANCEL, {}],
        [FULFILL, {}],
        [PAY, { method: "CASH", amount: "1" }],
        [REFUND, { amount: "1" }],
      ] as const) {
        expect((await refused(document, { id, input })).code).to.equal("INVALID_STATE");
      }
    });

    it("is refused once goods or money changed hands", async () => {
      const paid = await must(CREATE, sale({ payments: [{ method: "CASH", amount: "5" }] }));
      expect((await refused(CANCEL, { id: paid.id, input: {} })).code).to.equal("INVALID_STATE");
      const handedOver = await must(CREATE, sale({ isFulfilled: true }));
      expect((await refused(CANCEL, { id: handedOver.id, input: {} })).code).to.equal("INVALID_STATE");
      const refunded = await must(REFUND, { id: paid.id, input: { amount: "5" } });
      expect(refunded).to.include({ status: "CONFIRMED", paymentStatus: "REFUNDED" });
      expect((await refused(PAY, { id: paid.id, input: { method: "CASH", amount: "1" } })).code).to.equal(
        "INVALID_STATE",
      );
      expect(await must(CANCEL, { id: paid.id, input: { restock: false } })).to.include({
        status: "CANCELLED",
        paymentStatus: "REFUNDED",
      });
      expect(await stockOf(mug)).to.equal(6);
    });
  });

  describe("refundOrder", () => {
    async function buyPlates() {
      const lines = [{ variantId: plate.id, quantity: 3, taxRate: "7" }];
      return must(CREATE, sale({ lines, payments: [{ method: "CARD", amount: "10.69" }], isFulfilled: true }));
    }

    it("gives units back to the cent, one by one, and restocks them", async () => {
      const { id, items, totalAmount } = await buyPlates();
      expect(totalAmount).to.equal("10.69");
      await takeEvents();
      const unit = { itemId: items[0].id, quantity: 1 };
      const first = await must(REFUND, { id, input: { items: [unit], reason: "Broken" } });
      expect(first).to.include({ status: "CONFIRMED", paymentStatus: "PARTIALLY_REFUNDED" });
      expect(await takeEvents()).to.deep.equal(["order.refunded", "product.updated"]);
      await must(REFUND, { id, input: { items: [{ ...unit, restock: false }] } });
      expect(await takeEvents()).to.deep.equal(["order.refunded"]);
      const last = await must(REFUND, { id, input: { items: [unit] } });
      expect(last).to.include({ status: "REFUNDED", paymentStatus: "REFUNDED", refundedAmount: "10.69" });
      expect(last.refunds.map(({ amount }: { amount: string }) => amount)).to.deep.equal(["3.56", "3.57", "3.56"]);
      expect(last.refunds[0].items).to.deep.equal([{ itemId: items[0].id, quantity: 1, restocked: true }]);
      expect(last.items[0]).to.include({ refundedQuantity: 3, restockedQuantity: 2 });
      expect(await stockOf(plate)).to.equal(9);
    });

    it("gives an amount back, through the oldest payments first, and tells its amount", async () => {
      const payments = [
        { method: "CASH", amount: "3.80" },
        { method: "CARD", amount: "20" },
      ];
      const { id } = await must(CREATE, sale({ payments }));
      await takeEvents();
      const order = await must(REFUND, { id, input: { amount: "5" } });
      const [cash, card] = order.payments;
      expect([cash.refundedAmount, card.refundedAmount]).to.deep.equal(["3.8", "1.2"]);
      const shares = order.refunds[0].payments.map((share: { paymentId: string; amount: string }) => [
        share.paymentId,
        Number(share.amount),
      ]);
      expect(shares).to.have.deep.members([
        [cash.id, 3.8],
        [card.id, 1.2],
      ]);
      const [event] = await query<{ body: string }>(
        server.databaseUrl,
        "select body from events where shop_id = $1 and topic = 'order.refunded'",
        [shop.id],
      );
      const { data } = JSON.parse(event!.body);
      expect(data).to.deep.equal({
        orderId: id,
        orderNumber: "1001",
        refundId: order.refunds[0].id,
        amount: 5,
        currency: "EUR",
      });
      const named = await must(REFUND, { id, input: { amount: "8.80", paymentId: card.id } });
      expect(named.payments[1].refundedAmount).to.equal("10");
    });

    it("gives store credit back to the customer", async () => {
      const customer = await buildCustomer(server.em, shop);
      await grantStoreCredit(server.em, customer, "30.00");
      const payments = [{ method: "STORE_CREDIT", amount: "23.80" }];
      const { id } = await must(CREATE, sale({ customerId: customer.id, payments }));
      await takeEvents();
      await must(REFUND, { id, input: { amount: "23.80" } });
      expect(await takeEvents()).to.deep.equal(["customer.updated", "order.refunded"]);
      const [row] = await query<{ balance: string }>(
        server.databaseUrl,
        "select sum(amount)::float8::text as balance from store_credit_entries where customer_id = $1",
        [customer.id],
      );
      expect(row!.balance).to.equal("30");
    });

    it("never gives back more than is held, also when many ask at once", async () => {
      const { id, items } = await buyPlates();
      const answers = await Promise.all(Array.from({ length: 10 }, () => ask(REFUND, { id, input: { amount: "4" } })));
      expect(answers.filter(({ data }) => data?.order)).to.have.length(2);
      expect((await refused(REFUND, { id, input: { amount: "2.70" } })).issues).to.deep.equal(["amount too_big"]);
      const units = [{ itemId: items[0].id, quantity: 3 }];
      expect((await refused(REFUND, { id, input: { items: units } })).issues).to.deep.equal(["items too_big"]);
      expect(await must(REFUND, { id, input: { items: units, amount: "2.69" } })).to.include({ status: "REFUNDED" });
      expect((await refused(REFUND, { id, input: { amount: "0.01" } })).code).to.equal("INVALID_STATE");
    });

    it("happens once for an idempotency key", async () => {
      const { id } = await buyPlates();
      const variables = { id, input: { amount: "1" }, idempotencyKey: "refund-1" };
      await Promise.all([must(REFUND, variables), must(REFUND, variables)]);
      expect(await must(REFUND, variables)).to.include({ refundedAmount: "1" });
    });

    it("names what is wrong", async () => {
      const { id } = await buyPlates();
      for (const [input, issue] of [
        [{}, "amount required"],
        [{ amount: "0" }, "amount too_small"],
        [{ amount: "0.001" }, "amount too_many_decimals"],
        [{ amount: "1", paymentId: "nonsense" }, "paymentId not_found"],
        [{ items: [] }, "items too_small"],
        [{ items: [{ itemId: "nonsense", quantity: 1 }] }, "items.0.itemId not_found"],
      ] as const) {
        expect((await refused(REFUND, { id, input })).issues).to.deep.equal([issue]);
      }
    });

    it("puts nothing back that was deleted from the catalogue since", async () => {
      const { id, items } = await buyPlates();
      await query(server.databaseUrl, "delete from products where id = $1", [productId]);
      const order = await must(REFUND, { id, input: { items: [{ itemId: items[0].id, quantity: 1 }] } });
      expect(order.items[0]).to.include({ refundedQuantity: 1, restockedQuantity: 0, sku: "PLATE" });
    });
  });

  describe("updateOrder", () => {
    it("changes notes and customer, and nothing when nothing changes", async () => {
      const customer = await buildCustomer(server.em, shop);
      const { id } = await must(CREATE, sale({ notes: "First" }));
      await takeEvents();
      const order = await must(UPDATE, { id, input: { notes: null, customerId: customer.id }, expectedVersion: 1 });
      expect(order).to.deep.include({ notes: null, customer: { id: customer.id }, version: 2 });
      expect(await takeEvents()).to.deep.equal(["order.updated"]);
      expect(await must(UPDATE, { id, input: { customerId: customer.id } })).to.include({ version: 2 });
      expect(await must(UPDATE, { id, input: {} })).to.include({ version: 2 });
      expect(await takeEvents()).to.deep.equal([]);
      expect((await refused(UPDATE, { id, input: { customerId: "x" } })).issues).to.deep.equal([
        "customerId not_found",
      ]);
    });
  });

  it("are not changed by who has seen another version", async () => {
    const order = await must(CREATE, sale());
    const { id } = order;
    const changes: [string, Record<string, unknown>][] = [
      [UPDATE, { notes: "x" }],
      [PAY, { method: "CASH", amount: "1" }],
      [FULFILL, {}],
      [CANCEL, {}],
      [REFUND, { amount: "1" }],
    ];
    for (const [document, input] of changes) {
      expect((await refused(document, { id, input, expectedVersion: 7 })).code).to.equal("VERSION_CONFLICT");
    }
    const edits = await Promise.all(
      Array.from({ length: 10 }, (_, index) => ask(UPDATE, { id, input: { notes: `${index}` }, expectedVersion: 1 })),
    );
    expect(edits.filter(({ data }) => data?.order)).to.have.length(1);
  });

  it("of another shop cannot be changed", async () => {
    const { id } = await must(CREATE, sale());
    const other = await buildShop(server.em);
    session = await logIn(server, await buildStaff(server.em, other));
    for (const [document, input] of [
      [UPDATE, { notes: "x" }],
      [PAY, { method: "CASH", amount: "1" }],
      [FULFILL, {}],
      [CANCEL, {}],
      [REFUND, { amount: "1" }],
    ] as const) {
      const own = await askGraphql(server, document, { shopId: other.id, id, input }, session);
      expect(own.errors.map(({ extensions }) => extensions.code)).to.deep.equal(["NOT_FOUND"]);
      const foreign = await askGraphql(server, document, { shopId: shop.id, id, input }, session);
      expect(foreign.errors.map(({ extensions }) => extensions.code)).to.deep.equal(["SHOP_NOT_FOUND"]);
    }
  });
});

interface Refusal {
  code: string;
  issues: string[];
}
