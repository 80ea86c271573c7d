import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { openWorld, useWorld } from "../../support/world.ts";
import { query } from "../../support/database.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { buildProduct } from "../../support/factories.ts";

interface Result {
  variantId: string;
  change: { id: string; delta: number; quantityAfter: number; reason: string; note: string | null } | null;
  error: { code: string; issues: { path: string; code: string }[] } | null;
}

describe("Stock in GraphQL", () => {
  const world = useWorld();
  const { server } = world;
  let productId: string;
  let variantId: string;

  beforeEach(async () => {
    await open();
  });

  async function open(overrides: { allowsOverselling?: boolean } = {}): Promise<void> {
    await world.open(overrides);
    const product = await buildProduct(server.em, world.shop, { title: "Mug", sku: "MUG", inventoryQuantity: 10 });
    productId = product.id;
    variantId = product.variants[0]!.id;
    await eventsSince(server, world.shop);
  }

  async function quantity(): Promise<number> {
    const { variants } = await world.run("product", { id: productId });
    return variants[0].inventoryQuantity;
  }

  async function history(): Promise<{ delta: number; quantity_after: number; reason: string; actor_id: string }[]> {
    return world.sql(
      "select delta, quantity_after, reason, note, actor_id from stock_changes where shop_id = $1 order by id offset 1",
    );
  }

  async function set(...changes: object[]): Promise<Result[]> {
    return world.run("setStock", { changes: changes.map((change) => ({ variantId, ...change })) });
  }

  async function adjust(...changes: object[]): Promise<Result[]> {
    const filled = changes.map((change) => ({ variantId, reason: "CORRECTED", ...change }));
    return world.run("adjustStock", { changes: filled });
  }

  const updated = (version: number) => ({ topic: "product.updated", data: { productId, handle: "mug", version } });

  /** The issues of an error, one per line. Nothing may have changed. */
  async function expectRefused([result]: Result[], code: string, ...issues: string[]): Promise<void> {
    expect(result!.change).to.equal(null);
    expect(result!.error!.code).to.equal(code);
    expect(result!.error!.issues.map((issue) => `${issue.path}: ${issue.code}`)).to.deep.equal(issues);
    expect(await quantity()).to.equal(10);
    expect(await history()).to.deep.equal([]);
    expect(await eventsSince(server, world.shop)).to.deep.equal([]);
  }

  describe("setStock", () => {
    it("sets stock with a reason", async () => {
      const before = await world.run("product", { id: productId });
      const [result] = await set({ quantity: 4, note: "Shelf 3", expectedQuantity: 10 });
      expect(result!.error).to.equal(null);
      const change = { delta: -6, quantityAfter: 4, reason: "COUNTED", note: "Shelf 3" };
      expect(result!.change).to.deep.include(change);
      const after = await world.run("product", { id: productId });
      expect(after.version).to.equal(before.version + 1);
      expect(after.updatedAt > before.updatedAt).to.equal(true);
      expect(after.variants[0]).to.include({ inventoryQuantity: 4, updatedAt: after.updatedAt });
      expect(await history()).to.deep.equal([
        { delta: -6, quantity_after: 4, reason: "COUNTED", note: "Shelf 3", actor_id: world.staff.id },
      ]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([updated(2)]);
    });

    it("writes nothing without a change", async () => {
      const [result] = await set({ quantity: 10 });
      expect(result).to.deep.equal({ variantId, change: null, error: null });
      expect(await history()).to.deep.equal([]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([]);
    });

    it("accepts the smallest and largest quantity", async () => {
      await set({ quantity: 1_000_000_000 }, { quantity: 0 });
      expect(await quantity()).to.equal(0);
      await query(server.databaseUrl, "update variants set inventory_quantity = -1000000000 where id = $1", [
        variantId,
      ]);
      const [result] = await set({ quantity: 1_000_000_000 });
      expect(result!.change).to.deep.include({ delta: 2_000_000_000, quantityAfter: 1_000_000_000 });
    });

    it("refuses another quantity than the expected one", async () => {
      await expectRefused(await set({ quantity: 4, expectedQuantity: 9 }), "VERSION_CONFLICT");
    });

    it("accepts one of ten concurrent changes with the same expected quantity", async () => {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) => set({ quantity: 20 + index, expectedQuantity: 10 })),
      );
      expect(answers.flat().filter(({ error }) => error === null)).to.have.length(1);
      expect(await history()).to.have.length(1);
    });

    for (const [what, change, issue] of [
      ["less than none", { quantity: -1 }, "quantity: too_small"],
      ["too much", { quantity: 1_000_000_001 }, "quantity: too_big"],
      ["a long note", { quantity: 1, note: "a".repeat(501) }, "note: too_big"],
      ["NUL in the note", { quantity: 1, note: "\0" }, "note: invalid_text"],
      ["a lone surrogate in the note", { quantity: 1, note: "\ud800" }, "note: invalid_text"],
    ] as const) {
      it(`refuses ${what}`, async () => expectRefused(await set(change), "VALIDATION_FAILED", issue));
    }
  });

  it("does not conflict with an edit of the product", async () => {
    await adjust({ delta: -1 }, { delta: -1 });
    const edit = { id: productId, input: { title: "Jug" }, expectedVersion: 1 };
    expect(await world.run("updateProduct", edit)).to.include({ title: "Jug", version: 4 });
    await adjust({ delta: -1 });
    for (const expectedVersion of [1, 3, 6]) {
      const refused = await world.refusal("updateProduct", { ...edit, input: { title: "Pot" }, expectedVersion });
      expect(refused, String(expectedVersion)).to.deep.equal(["VERSION_CONFLICT"]);
    }
    const seen = { ...edit, input: { title: "Pot" }, expectedVersion: 4 };
    expect(await world.run("updateProduct", seen)).to.include({ title: "Pot", version: 6 });
  });

  describe("adjustStock", () => {
    it("adds and removes units, in input order", async () => {
      const results = await adjust({ delta: 5, reason: "RECEIVED" }, { delta: -2, reason: "DAMAGED", note: "Broken" });
      expect(results.map(({ change }) => change!.quantityAfter)).to.deep.equal([15, 13]);
      expect(await quantity()).to.equal(13);
      expect((await history()).map(({ delta, reason }) => [delta, reason])).to.deep.equal([
        [5, "RECEIVED"],
        [-2, "DAMAGED"],
      ]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([updated(3)]);
    });

    it("refuses to go below zero", async () => {
      await expectRefused(await adjust({ delta: -11 }), "INSUFFICIENT_STOCK");
    });

    it("goes below zero if the shop allows overselling", async () => {
      await open({ allowsOverselling: true });
      const [result] = await adjust({ delta: -11 });
      expect(result!.change).to.include({ quantityAfter: -1 });
    });

    it("applies twenty concurrent changes", async () => {
      await Promise.all(Array.from({ length: 20 }, (_, index) => adjust({ delta: index % 2 === 0 ? 3 : -1 })));
      expect(await quantity()).to.equal(30);
      const lines = await history();
      expect(lines).to.have.length(20);
      expect(lines.reduce((total, { delta }) => total + delta, 10)).to.equal(30);
    });

    it("never removes more than is in stock with concurrent changes", async () => {
      const answers = (await Promise.all(Array.from({ length: 15 }, () => adjust({ delta: -1 })))).flat();
      expect(answers.filter(({ error }) => error?.code === "INSUFFICIENT_STOCK")).to.have.length(5);
      expect(await quantity()).to.equal(0);
    });

    it("happens once per key, and replays the response", async () => {
      const change = { delta: 5, idempotencyKey: "delivery-7" };
      const answers = await Promise.all([adjust(change), adjust(change), adjust(change, change)]);
      expect(new Set(answers.flat().map((result) => JSON.stringify(result)))).to.have.property("size", 1);
      expect(await quantity()).to.equal(15);
      expect(await eventsSince(server, world.shop)).to.have.length(1);
      const [other] = await adjust({ ...change, delta: 6 });
      expect(other!.error!.issues[0]!.code).to.equal("idempotency_key_reused");
    });

    it("does not store a refusal for a key", async () => {
      const change = { delta: -11, idempotencyKey: "later" };
      await adjust(change);
      await set({ quantity: 11 });
      expect((await adjust(change))[0]!.change).to.include({ quantityAfter: 0 });
    });

    for (const [what, change, issue] of [
      ["nothing", { delta: 0 }, "delta: invalid_value"],
      ["too much", { delta: 1_000_000_001 }, "delta: too_big"],
      ["too little", { delta: -1_000_000_001 }, "delta: too_small"],
      ["a long note", { delta: 1, note: "a".repeat(501) }, "note: too_big"],
      ["an empty idempotency key", { delta: 1, idempotencyKey: "" }, "idempotencyKey: too_small"],
      ["NUL in the idempotency key", { delta: 1, idempotencyKey: "\0" }, "idempotencyKey: invalid_text"],
    ] as const) {
      it(`refuses ${what}`, async () => expectRefused(await adjust(change), "VALIDATION_FAILED", issue));
    }

    it("refuses to exceed the largest quantity", async () => {
      await expectRefused(await adjust({ delta: 1_000_000_000 }), "INVALID_STATE");
    });

    it("refuses reasons that only orders use", async () => {
      for (const reason of ["SOLD", "INITIAL", "CANCELLED"]) {
        const { status } = await world.send("adjustStock", { changes: [{ variantId, delta: 1, reason }] });
        expect(status, reason).to.equal(400);
      }
    });
  });

  describe("several changes", () => {
    it("have separate results, in input order", async () => {
      const foreign = await buildProduct(server.em, (await openWorld(server)).shop);
      const ids = [newId("var"), foreign.variants[0]!.id, "nonsense", "\0", ""];
      const results = await set({ quantity: 1 }, ...ids.map((id) => ({ variantId: id, quantity: 2 })), { quantity: 3 });
      expect(results.map((result) => result.variantId)).to.deep.equal([variantId, ...ids, variantId]);
      expect(results.map(({ error }) => error?.code ?? null)).to.deep.equal([
        null,
        ...ids.map(() => "NOT_FOUND"),
        null,
      ]);
      expect(await quantity()).to.equal(3);
    });

    it("are limited to 1 to 250", async () => {
      const change = { variantId, delta: 1, reason: "RECEIVED" };
      const many = Array.from({ length: 251 }, () => change);
      expect(await world.refusal("adjustStock", { changes: many })).to.deep.equal([
        "VALIDATION_FAILED",
        "changes: too_big",
      ]);
      expect(await quantity()).to.equal(10);
      await world.run("adjustStock", { changes: many.slice(1) });
      expect(await quantity()).to.equal(260);
      const none = ["VALIDATION_FAILED", "changes: too_small"];
      expect(await world.refusal("adjustStock", { changes: [] })).to.deep.equal(none);
      expect(await world.refusal("setStock", { changes: [] })).to.deep.equal(none);
    });
  });
});
