import { readFileSync } from "node:fs";
import { isDeepStrictEqual } from "node:util";
import { expect } from "chai";
import fc from "fast-check";
import { buildSchema } from "graphql";
import { fieldsOfTopic, type Topic } from "../../../src/core/model/webhooks/topics.ts";
import { holds, timesFactor } from "../../support/properties/holds.ts";
import { useServer } from "../../support/server.ts";
import type { Variables } from "../../support/world.ts";
import { Market } from "./market.ts";

type Shown = Record<string, unknown> & { id: string };
type Given = (market: Market) => Variables | Promise<Variables>;

const some = <Value extends object>(fields: { [Name in keyof Value]: fc.Arbitrary<Value[Name]> }) =>
  fc.record(fields, { requiredKeys: [] });
const text = (...texts: (string | null)[]) => fc.constantFrom(...texts);
const quantity = fc.integer({ min: 0, max: 12 });
const size = text("S", "M", "L", "XL");

const metadata = text("1", "2", null).map((value) => [{ key: "erp_id", value }]);

/** What is changed in a product: few values, so that they are often what they were. */
const ofProduct = {
  title: text("Mug", "Jug"),
  description: text(null, "", "Hot"),
  handle: text("mug", "jug"),
  status: text("ACTIVE", "DRAFT"),
  optionNames: text("Size", "Height").map((name) => [name]),
  metadata,
};
const ofVariant = {
  price: text("10", "10.00", "12"),
  sku: text("", "A-1"),
  barcode: text("", "123"),
  optionValues: size.map((value) => [value]),
};
const ofCustomer = {
  email: text("ada@example.com", "grace@example.com"),
  firstName: text("", "Ada"),
  lastName: text("", "Example"),
  phone: text(null, "", "+49 30 123"),
  note: text(null, "Likes tea"),
  metadata,
};
const credit = text("1", "2.50").map<Given>((amount) => ({ customer }) => ({
  customerId: customer.id,
  input: { amount, reason: "Test" },
}));

const newPayment = fc.oneof(
  fc.record({
    method: fc.constant("CARD"),
    status: text("PENDING", "AUTHORIZED", "CAPTURED"),
    amount: text("5", "9.98"),
  }),
  fc.record({ method: fc.constant("CASH"), amount: text("5", "9.99") }),
);
const newOrder = some({
  payments: fc.array(newPayment, { maxLength: 2 }),
  notes: text(null, "Gift"),
  isFulfilled: fc.boolean(),
  metadata,
});

/** The change of a new order. */
// oxlint-disable-next-line typescript/no-explicit-any -- an answer of any shape
const ofOrder = <Input>(input: fc.Arbitrary<Input>, givenTo: (input: Input, order: any, market: Market) => object) =>
  fc.tuple(newOrder, input).map(([order, given]) => async (market: Market) => {
    const created = await market.order(order);
    return { id: created.id, ...givenTo(given, created, market) };
  });
const units = fc.record({ quantity: fc.integer({ min: 1, max: 2 }), restock: fc.boolean() });

/** Random variables of every mutation that emits a topic with fields. Some are refused, and change nothing. */
const mutations: Record<string, fc.Arbitrary<Given>> = {
  updateProduct: some(ofProduct).map((input) => ({ mug }) => ({ id: mug.id, input })),
  updateProducts: fc
    .subarray(Object.entries(ofProduct), { minLength: 1 })
    .chain((fields) => fc.tuple(...fields.map(([name, values]) => values.map((value) => ({ [name]: value })))))
    .map((changes) => ({ mug }) => ({ inputs: changes.map((change) => ({ id: mug.id, ...change })) })),
  createVariant: size.map((value) => ({ mug }) => ({
    productId: mug.id,
    input: { optionValues: [value], price: "1" },
  })),
  updateVariant: some(ofVariant).map((input) => ({ variantIds: [id] }) => ({ id, input })),
  deleteVariant: fc.uuid().map((value) => async ({ run, mug }) => {
    const { variants } = await run("createVariant", {
      productId: mug.id,
      input: { optionValues: [value], price: "1" },
    });
    return { id: variants.at(-1).id };
  }),
  setStock: fc.array(quantity, { minLength: 1, maxLength: 3 }).map((quantities) => ({ variantIds }) => ({
    changes: quantities.map((each, index) => ({ variantId: variantIds[index], quantity: each })),
  })),
  adjustStock: fc
    .array(fc.integer({ min: -3, max: 3 }), { minLength: 1, maxLength: 3 })
    .map((deltas) => ({ variantIds }) => ({
      changes: deltas.map((delta, index) => ({ variantId: variantIds[index], delta, reason: "LOST" })),
    })),
  updateCustomer: some(ofCustomer).map((input) => ({ customer: { id } }) => ({ id, input })),
  eraseCustomer: fc
    .tuple(some(ofCustomer), fc.boolean(), newOrder)
    .map(([input, includeNotes, order]) => async (market) => {
      const { id } = await market.run("createCustomer", {
        input: { ...input, email: `${crypto.randomUUID()}@example.com` },
      });
      await market.order({ ...order, customerId: id });
      return { id, input: { includeNotes } };
    }),
  grantStoreCredit: credit,
  spendStoreCredit: credit,
  createOrder: fc.tuple(newOrder, fc.boolean()).map(
    ([order, isCredit]) =>
      ({ sale, credited }) =>
        sale({ ...order, ...(isCredit && credited("1")) }),
  ),
  updateOrder: ofOrder(
    some({ notes: text(null, "", "Gift"), metadata, isTheirs: fc.boolean() }),
    ({ isTheirs, ...input }, _, { customer }) => ({
      input: { ...input, ...(isTheirs !== undefined && { customerId: isTheirs ? customer.id : null }) },
    }),
  ),
  fulfillOrder: ofOrder(fc.option(units), (one, { items }) => ({
    input: one ? { items: [{ itemId: items[0].id, quantity: one.quantity }] } : {},
  })),
  cancelOrder: ofOrder(some({ restock: fc.boolean(), reason: text("Late") }), (input) => ({ input })),
  recordPayment: ofOrder(newPayment, (input, { id }) => ({ orderId: id, input })),
  settlePayment: ofOrder(
    some({ status: text("AUTHORIZED", "CAPTURED", "FAILED", "VOIDED"), reference: text("ch_1") }),
    (input, { payments }) => ({ paymentId: payments[0]?.id ?? "pay_unknown", input }),
  ),
  refundOrder: ofOrder(fc.record({ amount: text("0", "5"), one: fc.option(units) }), ({ amount, one }, { items }) => ({
    input: { amount, items: one && [{ itemId: items[0].id, ...one }] },
  })),
};

/** What a field depends on beside the record, or what every change sets. */
const DERIVED = new Set(["version", "updatedAt", "orderCount", "overpaidAmount", "changes"]);

/** The fields that differ, by their names in GraphQL. A product has the fields of its variants. */
function difference(before: Shown, after: Shown): string[] {
  const names = Object.keys(after).filter(
    (name) => !DERIVED.has(name) && !isDeepStrictEqual(before[name], after[name]),
  );
  return names.flatMap((name) => {
    if (name !== "variants") return [name];
    const [old, now] = [before, after].map(
      ({ variants }) => new Map((variants as Shown[]).map((each) => [each.id, each])),
    );
    const isSame = isDeepStrictEqual([...old!.keys()], [...now!.keys()]);
    const inVariants = [...now!].flatMap(([id, variant]) => (old!.has(id) ? difference(old!.get(id)!, variant) : []));
    return [...(isSame ? [] : ["variants"]), ...inVariants];
  });
}

describe("The changed fields of an event", () => {
  const server = useServer();
  const market = new Market(server);
  beforeEach(() => market.open({ allowsOverselling: true }));

  const emitting = new Set<string>();
  after("each mutation emitted an event", () => {
    // Few runs may miss one.
    if (timesFactor(1) >= 10) expect([...emitting]).to.have.members(Object.keys(mutations));
  });

  const schema = buildSchema(readFileSync("schema.graphql", "utf8"));
  it("are tested of every mutation that can change them", () => {
    const declared = Object.values(schema.getMutationType()!.getFields()).filter(({ description }) =>
      /\nEmits .*\.updated/.test(description!),
    );
    expect(Object.keys(mutations).toSorted()).to.deep.equal(declared.map(({ name }) => name).toSorted());
  });

  /** The newest records, as GraphQL shows them. */
  async function readRecords(): Promise<Map<string, Shown>> {
    const lists = ["products", "orders", "customers"].map(
      async (list) => (await market.run(list, { limit: 20 })).items,
    );
    const records: Shown[] = (await Promise.all(lists)).flat();
    // The customer of an order is named by the order alone. Their name is theirs.
    return new Map(
      records.map((record) => [
        record.id,
        "customer" in record ? { ...record, customer: (record.customer as Shown | null)?.id } : record,
      ]),
    );
  }

  for (const [mutation, variables] of Object.entries(mutations)) {
    holds(`are those that ${mutation} changes in GraphQL`, 4, () =>
      fc.asyncProperty(variables, async (given) => {
        await market.sql("update products set status = 'ACTIVE' where shop_id = $1");
        const sent = await given(market);
        const old = await readRecords();
        const [start] = await market.sql("select coalesce(max(id), '') as id from events where shop_id = $1");
        await market.send(mutation, sent);
        const now = await readRecords();
        const events = await market.sql<{ topic: Topic; changed: string[]; id: string }>(
          `select topic, changed, coalesce(body::json #>> '{data,productId}', body::json #>> '{data,orderId}',
              body::json #>> '{data,customerId}') as id
           from events where shop_id = $1 and id > $2 and topic like '%.updated'`,
          start!.id,
        );
        if (events.length > 0) emitting.add(mutation);
        for (const [id, ofRecord] of Map.groupBy(events, (event) => event.id)) {
          const told = new Set(ofRecord.flatMap(({ changed }) => changed ?? []));
          expect([...told].toSorted()).to.deep.equal([...new Set(difference(old.get(id)!, now.get(id)!))].toSorted());
          expect(fieldsOfTopic(ofRecord[0]!.topic)).to.include.members([...told]);
        }
      }),
    );
  }
});
