import { expect } from "chai";
import { buildProduct } from "../support/factories.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { openWorld, useWorld } from "../support/world.ts";

type Entry = { key: string; value: string | null };
type Described = { id: string; version?: number; metadata: Entry[]; updatedAt: string };

const of = (entries: Record<string, string | null>): Entry[] =>
  Object.entries(entries).map(([key, value]) => ({ key, value }));

describe("Metadata", () => {
  const world = useWorld();
  const { server, run, refusal, sql } = world;
  const log = useStatementLog();

  let count = 0;
  const product = (more: object = {}, variant: object = {}) => ({
    input: { title: "Mug", variants: [{ price: "1.00", ...variant }], ...more },
  });
  const customer = (more: object = {}) => ({ input: { email: `c${(count += 1)}@example.com`, ...more } });
  const order = async (more: object = {}) => {
    const { variants } = await buildProduct(server.em, world.shop, { inventoryQuantity: 5 });
    return { input: { channel: "POS", lines: [{ variantId: variants[0]!.id, quantity: 1 }], ...more } };
  };
  const creations = { createProduct: product, createCustomer: customer, createOrder: order };

  /** The creation of each kind of record, and the list of the topics of its changes. */
  const kinds: Record<string, { create: (metadata: Entry[]) => Promise<Described>; topic: string }> = {
    product: { create: (metadata) => run("createProduct", product({ metadata })), topic: "product.updated" },
    variant: {
      create: async (metadata) => (await run("createProduct", product({}, { metadata }))).variants[0],
      topic: "product.updated",
    },
    customer: { create: (metadata) => run("createCustomer", customer({ metadata })), topic: "customer.updated" },
    order: { create: async (metadata) => run("createOrder", await order({ metadata })), topic: "order.updated" },
  };

  for (const [kind, { create, topic }] of Object.entries(kinds)) {
    const update = async (id: string, metadata: Entry[]): Promise<Described> => {
      await run(`update${kind[0]!.toUpperCase()}${kind.slice(1)}`, { id, input: { metadata } });
      return run(kind, { id });
    };

    it(`of ${kind}s is set and cleared key by key, and is a change of the record`, async () => {
      const { id, ...created } = await create(of({ "erp-id": " 7 ", b: "2", "a.x": "1", none: null }));
      expect(created.metadata).to.deep.equal(of({ "a.x": "1", b: "2", "erp-id": "7" }));
      const before = await run(kind, { id });
      const changed = await update(id, of({ b: null, "erp-id": "8", C: "🏷".repeat(500) }));
      expect(changed.metadata).to.deep.equal(of({ C: "🏷".repeat(500), "a.x": "1", "erp-id": "8" }));
      expect(changed.updatedAt > before.updatedAt).to.equal(true);
      expect(await update(id, of({ b: null, "erp-id": "8" }))).to.deep.equal(changed);
      const events = await sql("select topic, changed from events where shop_id = $1 and topic = $2", topic);
      expect(events).to.deep.equal([{ topic, changed: ["metadata"] }]);
      const entry = (await world.audited()).find(([action]) => action.endsWith("_UPDATED"));
      expect(entry![1]).to.include({ fields: "metadata" });
    });
  }

  const keys = (length: number) => Array.from({ length }, (_, index) => ({ key: `k${index}`, value: "1" }));
  const refused: [what: string, metadata: unknown[], issue: string][] = [
    ["a key with a space", of({ "a b": "1" }), "metadata.0.key: invalid_value"],
    ["a key of 41 characters", of({ ["k".repeat(41)]: "1" }), "metadata.0.key: invalid_value"],
    ["a key twice", [...keys(2), { key: "k1", value: null }], "metadata.2.key: repeated"],
    ["a value of 501 characters", of({ a: "x".repeat(501) }), "metadata.0.value: too_big"],
    ["an empty value", of({ a: " " }), "metadata.0.value: too_small"],
    ["NUL", of({ a: "x\0" }), "metadata.0.value: invalid_text"],
    ["21 keys", keys(21), "metadata: too_big"],
  ];
  for (const [what, metadata, issue] of refused) {
    it(`refuses ${what}`, async () => {
      expect(await refusal("createCustomer", customer({ metadata }))).to.deep.equal(["VALIDATION_FAILED", issue]);
      const [path, code] = issue.split(": ");
      const ofVariant = ["VALIDATION_FAILED", `variants.0.${path}: ${code}`];
      expect(await refusal("createProduct", product({}, { metadata }))).to.deep.equal(ofVariant);
    });
  }

  it("refuses a 21st key, and changes nothing", async () => {
    const { id } = await run("createCustomer", customer({ metadata: keys(20) }));
    const before = await run("customer", { id });
    const input = { lastName: "New", metadata: of({ k0: null, x: "1", y: "2" }) };
    expect(await refusal("updateCustomer", { id, input })).to.deep.equal(["VALIDATION_FAILED", "metadata: too_big"]);
    expect(await run("customer", { id })).to.deep.equal(before);
  });

  it("filters lists by a key and its whole value, with their totals and cursors", async () => {
    const lists = { products: "createProduct", customers: "createCustomer", orders: "createOrder" } as const;
    for (const [list, mutation] of Object.entries(lists)) {
      const made: string[] = [];
      for (const source of ["shopify", "shopify", "shopify 2", "shopify"]) {
        made.push(
          (await run(mutation, await creations[mutation]({ metadata: of({ source, other: "shopify 2" }) }))).id,
        );
      }
      const metadata = { key: "source", value: "shopify" };
      const first = await run(list, { metadata, limit: 2 });
      expect(first).to.deep.include({ total: 3 });
      const second = await run(list, { metadata, limit: 2, after: first.nextCursor });
      expect(second).to.deep.include({ total: 3, nextCursor: null });
      const found = [...first.items, ...second.items].map(({ id }) => id);
      expect(found).to.deep.equal([made[3], made[1], made[0]]);
      expect((await run(list, { metadata, limit: 2, page: 2 })).items).to.deep.equal(second.items);
      const changed = { metadata, updatedSince: "2026-01-01T00:00:00.000Z", limit: 2 };
      expect(await run(list, changed)).to.deep.include({ items: first.items, total: 3 });
      const bad = await refusal(list, { metadata: { key: "a b", value: "x" } });
      expect(bad).to.deep.equal(["VALIDATION_FAILED", "metadata.key: invalid_value"]);
      expect(await (await openWorld(server)).run(list, { metadata })).to.deep.include({ total: 0 });
    }
  });

  for (const [mutation, build] of Object.entries(creations)) {
    it(`lets ${mutation} make one record of a value, also at once and again`, async () => {
      const unique = { metadata: of({ erp_id: "7", shared: "x" }), uniqueMetadata: ["erp_id"] };
      const inputs = await Promise.all(Array.from({ length: 8 }, () => build(unique)));
      const answers = await Promise.all(inputs.map((input) => world.send(mutation, input)));
      const made = answers.filter(({ errors }) => errors.length === 0).map(({ data }) => data[mutation].id);
      expect(made).to.have.length(1);
      for (const { errors } of answers.filter(({ data }) => !data)) {
        const { issues } = errors[0]!.extensions as unknown as { issues: Record<string, string>[] };
        const [issue] = issues;
        expect(issue).to.include({ path: "uniqueMetadata.0", code: "taken", recordId: made[0] });
        expect(issue!.message).to.contain(made[0]);
      }
      const other = { metadata: of({ erp_id: "8", shared: "x" }), uniqueMetadata: ["erp_id"] };
      const once = { ...(await build(other)), idempotencyKey: "once" };
      expect((await run(mutation, once)).id).to.equal((await run(mutation, once)).id);
      const without = await build({ metadata: of({ a: "1" }), uniqueMetadata: ["a", "b"] });
      const missing = ["VALIDATION_FAILED", "uniqueMetadata.1: invalid_value"];
      expect(await refusal(mutation, without)).to.deep.equal(missing);
    });
  }

  it("goes with its product and variant, so that the value is free again", async () => {
    const unique = { metadata: of({ erp_id: "7" }), uniqueMetadata: ["erp_id"] };
    const { id } = await run("createProduct", product(unique, { metadata: of({ erp_id: "7-S" }) }));
    await run("deleteProduct", { id });
    expect(await sql("select from metadata where shop_id = $1")).to.deep.equal([]);
    await run("createProduct", product(unique));
  });

  it("costs no statement where it is not given", async () => {
    const { statements } = await log.during(async () => {
      const { id } = await run("createProduct", product());
      await run("updateProduct", { id, input: { title: "Jug" } });
    });
    expect(statements.filter((text) => /(into|from|delete from) metadata\b/.test(text))).to.deep.equal([]);
  });
});
