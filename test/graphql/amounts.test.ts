import { expect } from "chai";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

const CREATE_PRODUCT = `mutation ($shopId: ID!, $input: CreateProductInput!) {
  product: createProduct(shopId: $shopId, input: $input) { id variants { id price } } }`;
const CREATE_CUSTOMER = `mutation ($shopId: ID!, $input: CreateCustomerInput!) {
  customer: createCustomer(shopId: $shopId, input: $input) { id storeCreditBalance } }`;
const GRANT = `mutation ($shopId: ID!, $id: ID!, $input: StoreCreditInput!) {
  customer: grantStoreCredit(shopId: $shopId, customerId: $id, input: $input) { storeCreditBalance } }`;
const ORDER = `id
  subtotalAmount discountAmount taxAmount roundingAmount totalAmount refundedAmount overpaidAmount
  amountToPay(method: CARD) amountToRefund(input: { amount: "1" })
  items { unitPrice discountAmount taxRate taxAmount totalAmount refundedAmount }
  payments { amount tendered change roundingAmount refundedAmount refundedRoundingAmount }
  refunds { amount taxAmount items { taxAmount } payments { amount } }`;
const SELL = `mutation ($shopId: ID!, $input: CreateOrderInput!) {
  order: createOrder(shopId: $shopId, input: $input) { ${ORDER} } }`;
const REFUND = `mutation ($shopId: ID!, $id: ID!, $input: RefundOrderInput!) {
  order: refundOrder(shopId: $shopId, id: $id, input: $input) { ${ORDER} } }`;
const EVERYTHING = `query ($shopId: ID!) { shop(id: $shopId) {
  currencyDecimals
  products { items { variants { price } } }
  customers { items { storeCreditBalance storeCreditEntries { amount } } }
  cashRounding cashRoundings usualCashRounding
  dailyOrders(timeZone: "UTC", days: 2) { totalAmount refundedAmount }
  orders { items { ${ORDER} } } } }`;

/** Every text in the value that looks like a number, by the name of its field. */
function numbersIn(value: unknown, name = ""): [string, string][] {
  if (typeof value === "string") return /^-?\d+(\.\d+)?$/.test(value) ? [[name, value]] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => numbersIn(inner, Array.isArray(value) ? name : key));
}

describe("Amounts in GraphQL", () => {
  const world = new World(useServer());
  /** Everything that was answered. */
  let answers: unknown[];

  // oxlint-disable-next-line typescript/no-explicit-any -- answers of every shape
  async function ask(document: string, variables: Record<string, unknown> = {}): Promise<any> {
    const { data, errors } = await world.ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    answers.push(data);
    return data;
  }

  /** A sale with a discount and tax, half of which is paid with store credit, and a refund of a part of it. */
  async function sellAndRefund(): Promise<void> {
    const input = { title: "Mug", variants: [{ price: "10" }] };
    const { product } = await ask(CREATE_PRODUCT, { input });
    const { customer } = await ask(CREATE_CUSTOMER, { input: { email: "a@example.com", firstName: "A" } });
    await ask(GRANT, { id: customer.id, input: { amount: "50", reason: "Goodwill" } });
    const { order } = await ask(SELL, {
      input: {
        channel: "POS",
        customerId: customer.id,
        lines: [{ variantId: product.variants[0].id, quantity: 2, taxRate: "19.0", discount: { amount: "10" } }],
        payments: [
          { method: "STORE_CREDIT", amount: "5" },
          { method: "CASH", amount: "2" },
        ],
      },
    });
    await ask(REFUND, { id: order.id, input: { amount: "6" } });
  }

  for (const [currency, decimals] of [
    ["EUR", 2],
    ["HUF", 2],
    ["JPY", 0],
    ["KWD", 3],
    ["CLF", 4],
  ] as const) {
    it(`have all ${decimals} decimals of ${currency} in every field`, async () => {
      answers = [];
      await world.open({ currency, allowsOverselling: true });
      await sellAndRefund();
      const everything = await ask(EVERYTHING);
      expect(everything.shop.currencyDecimals).to.equal(decimals);
      expect(everything.shop.orders.items[0].items[0].taxRate).to.equal("19");
      const amounts = numbersIn(answers).filter(([name]) => name !== "taxRate");
      expect(amounts).to.have.length.greaterThan(20);
      for (const [name, amount] of amounts) {
        expect(amount.split(".")[1]?.length ?? 0, `${name} ${amount}`).to.equal(decimals);
      }
      const names = new Set(amounts.map(([name]) => name));
      expect([...names]).to.include.members(["price", "unitPrice", "storeCreditBalance", "amount", "refundedAmount"]);
    });
  }

  it("have the decimals stored with the shop, even if the currency's change", async () => {
    answers = [];
    await world.open({ currency: "HUF", allowsOverselling: true });
    await world.sql("update shops set currency_decimals = 0 where id = $1");
    await sellAndRefund();
    const everything = await ask(EVERYTHING);
    expect(everything.shop.currencyDecimals).to.equal(0);
    const stored = numbersIn(answers).filter(([name]) => name !== "cashRounding");
    for (const [name, amount] of stored) expect(amount, name).to.match(/^-?\d+$/);
    const { status } = await world.call("POST", "/products", { body: { title: "Mug", price: 12.5 } });
    expect(status).to.equal(400);
  });
});
