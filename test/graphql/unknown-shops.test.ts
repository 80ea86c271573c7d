import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { createProduct } from "../../src/core/products/create-product.ts";
import { fillShop } from "../../src/core/sandboxes/sample/fill-shop.ts";
import { query } from "../support/database.ts";
import { buildCustomer, buildKey, buildShop, grantStoreCredit } from "../support/factories.ts";
import { call } from "../support/client.ts";
import { columnsOf, planNodesOf, type Plan } from "../support/postgres/plans.ts";
import { useStatementLog, type SentStatement } from "../support/postgres/statements.ts";
import { useServer } from "../support/server.ts";
import { CANCEL, CREATE, FULFILL, PAY, REFUND, SETTLE, UPDATE } from "../support/shops/till.ts";
import { useWorld } from "../support/world.ts";

/** Referenced tables come first. */
const tables = [
  "products",
  "variants",
  "stock_changes",
  "customers",
  "store_credit_entries",
  "orders",
  "order_items",
  "payments",
  "refunds",
  "refund_payments",
];

const COPIES = 100;

/** SQL: copies the rows of shop $1 into shop $2 with other ids, handles, numbers and email addresses. */
const copy = (table: string) => `
  insert into ${table} select copied.*
  from ${table} original cross join generate_series(1, ${COPIES}) number
  cross join lateral (
    select jsonb_object_agg(key, case when key = 'shop_id' then to_jsonb($2::text)
      when key ~ '(^|_)id$' then to_jsonb(left(value #>> '{}', strpos(value #>> '{}', '_')) || left(md5((value #>> '{}') || number), 26))
      when key ~ '(handle|number|email)$' then to_jsonb(value #>> '{}' || '-' || number) else value end) as fields
    from jsonb_each(to_jsonb(original))
  ) changed
  cross join lateral jsonb_populate_record(original, fields) copied
  where original.shop_id = $1`;

const STOCK = `mutation ($shopId: ID!, $adjusted: [AdjustStockInput!]!, $set: [SetStockInput!]!) {
  adjustStock(shopId: $shopId, changes: $adjusted) { error { message } }
  setStock(shopId: $shopId, changes: $set) { error { message } } }`;
const PRODUCT = `mutation ($shopId: ID!, $id: ID!, $variantId: ID!) {
  updateProduct(shopId: $shopId, id: $id, input: { title: "Other" }) { id }
  createVariant(shopId: $shopId, productId: $id, input: { price: "1", inventoryQuantity: 1, optionValues: ["L"] }) { id }
  updateVariant(shopId: $shopId, id: $variantId, input: { price: "2" }) { id }
  deleteVariant(shopId: $shopId, id: $variantId) { id }
  deleteProduct(shopId: $shopId, id: $id) }`;
const CUSTOMER = `mutation ($shopId: ID!, $id: ID!) {
  createCustomer(shopId: $shopId, input: { email: "new@example.com" }) { id }
  updateCustomer(shopId: $shopId, id: $id, input: { lastName: "Other" }) { id }
  grantStoreCredit(shopId: $shopId, customerId: $id, input: { amount: "2", reason: "Test" }) { id }
  spendStoreCredit(shopId: $shopId, customerId: $id, input: { amount: "1", reason: "Test" }) { id } }`;

const SIZES = ["S", "M"].map((size) => ({ price: "10", optionValues: [size], inventoryQuantity: 5 }));

describe("A shop that statistics do not know", () => {
  const server = useServer({ own: "reads plans, which depend on the rows of all shops" });
  const log = useStatementLog();
  const { shop, ask } = useWorld(server);

  const sql = <Row = never>(text: string, values: unknown[] = []) => query<Row>(server.databaseUrl, text, values);

  async function copyInto(id: string, sourceId: string): Promise<void> {
    for (const table of tables) await sql(copy(table), [sourceId, id]);
  }

  beforeEach(async () => {
    for (const table of tables) await sql(`alter table ${table} set (autovacuum_enabled = false)`);
    const [source, other] = [await buildShop(server.em), await buildShop(server.em)];
    await fillShop(server.em, source, { products: 20, customers: 20, orders: 20 });
    await copyInto(other.id, source.id);
    await sql("analyze");
    await copyInto(shop.id, source.id);
  });

  /** The nodes of the plan of a statement. */
  async function nodesOf({ text, values }: SentStatement): Promise<Plan[]> {
    if (!/^(with|select|insert|update|delete)\b/i.test(text)) return [];
    return planNodesOf(server.databaseUrl, text, values);
  }

  /** Reads of indexes by the shop alone, and of whole tables. */
  async function broadReadsOf(statement: SentStatement): Promise<string[]> {
    return (await nodesOf(statement)).filter(isBroad).map((node) => `${describePlan(node)} in ${statement.text}`);
  }

  function isBroad(plan: Plan): boolean {
    const index = plan["Index Name"];
    if (index === undefined) return plan["Node Type"] === "Seq Scan" && tables.includes(plan["Relation Name"]!);
    return (
      tables.some((table) => index.startsWith(`${table}_`)) && columnsOf(plan).every((column) => column === "shop_id")
    );
  }

  const describePlan = (node: Plan) => `${node["Node Type"]} ${node["Index Name"] ?? node["Relation Name"]}`;

  async function must(document: string, variables: Record<string, unknown>) {
    const { data, errors } = await ask(document, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    return data;
  }

  it("changes and finds records without reading the others of the shop", async () => {
    const key = await buildKey(server.em, shop);
    const customer = await buildCustomer(server.em, shop);
    await grantStoreCredit(server.em, customer, "50.00");
    const operation = { em: server.em, shop, actor: operator };
    const product = () => createProduct(operation, { title: "Shirt", optionNames: ["Size"], variants: SIZES });
    const products = [await product(), await product(), await product()];
    const variantIds = products.map(({ variants }) => variants[0]!.id);
    const { id, variants } = await product();
    const lines = variantIds.map((variantId) => ({ variantId, quantity: 1 }));
    const sale = { channel: "POS", lines, customerId: customer.id };
    const { sent } = await log.during(async () => {
      await call(server, "POST", `/${shop.id}/products`, {
        key,
        body: { title: "Mug", price: 1 },
        headers: { "Idempotency-Key": "one" },
      });
      await call(server, "POST", `/${shop.id}/products`, {
        key,
        body: { title: "Mug", price: 1, inventoryQuantity: 1 },
      });
      await must(STOCK, {
        adjusted: variantIds.map((variantId) => ({ variantId, delta: 9, reason: "RECEIVED" })),
        set: variantIds.map((variantId) => ({ variantId, quantity: 9 })),
      });
      await must(PRODUCT, { id, variantId: variants[0]!.id });
      await must(CUSTOMER, { id: customer.id });
      const { order } = await must(CREATE, { input: sale });
      await must(UPDATE, { id: order.id, input: { notes: "Later" } });
      const paid = await must(PAY, {
        id: order.id,
        input: { method: "CARD", amount: order.totalAmount, status: "PENDING" },
      });
      await must(SETTLE, { id: paid.order.payments[0].id, input: { status: "CAPTURED" } });
      await must(FULFILL, { id: order.id, input: {} });
      const items = order.items.map((item: { id: string }) => ({ itemId: item.id, quantity: 1 }));
      await must(REFUND, { id: order.id, input: { items } });
      for (const path of [`products/${products[0]!.id}`, `orders/${order.id}`, `customers/${customer.id}`]) {
        expect(await call(server, "GET", `/${shop.id}/${path}`, { key })).to.have.property("status", 200);
      }
      const payments = [{ method: "STORE_CREDIT", amount: "10" }];
      const another = await must(CREATE, { input: { ...sale, payments } });
      await must(REFUND, { id: another.order.id, input: { amount: "10" } });
      await must(CANCEL, { id: another.order.id, input: {} });
    });
    const broad = await Promise.all(sent.map(broadReadsOf));
    expect([...new Set(broad.flat())]).to.deep.equal([]);
  });
});
