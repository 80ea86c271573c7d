import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { openWorld, useWorld } from "../../support/world.ts";
import { query } from "../../support/database.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { buildProduct } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { issuesOf } from "../../support/requests/refusals.ts";

/** Without long texts, which would be too costly for hundreds. */
const brief = (mutation: string) => documentOf(mutation).replace(" description", "");

interface Result {
  product: { id: string; title: string; version: number; handle: string; variants: { id: string }[] } | null;
  error: { code: string; message: string; hint: string | null; issues: { path: string; code: string }[] } | null;
}

describe("Bulk operations on products", () => {
  const world = useWorld();
  const { server } = world;

  async function stored(): Promise<string[]> {
    const rows = await world.sql<{ title: string }>("select title from products where shop_id = $1 order by title");
    return rows.map(({ title }) => title);
  }

  const mug = (title: string, more: object = {}) => ({ title, variants: [{ price: "1" }], ...more });

  describe("createProducts", () => {
    it("creates valid items and reports invalid ones, in input order", async () => {
      const inputs = [mug("A"), mug(" "), mug("A"), mug("B", { variants: [{ price: "0.001" }] }), mug("C")];
      const results: Result[] = await world.run("createProducts", { inputs });
      expect(results.map(({ product }) => product?.handle ?? null)).to.deep.equal(["a", null, "a-2", null, "c"]);
      expect(results[0]!.error).to.equal(null);
      expect(results[1]!.error).to.deep.equal({
        code: "VALIDATION_FAILED",
        message: "Validation error",
        hint: null,
        issues: [{ path: "title", code: "too_small", message: "Must have at least 1 character" }],
      });
      expect(results[3]!.error!.issues.map(({ path }) => path)).to.deep.equal(["variants.0.price"]);
      expect(await stored()).to.deep.equal(["A", "A", "C"]);
      const events = await eventsSince(server, world.shop);
      expect(events).to.deep.equal(
        [0, 2, 4].map((index) => {
          const { id, handle } = results[index]!.product!;
          return { topic: "product.created", data: { productId: id, handle, version: 1 } };
        }),
      );
      const product = results[0]!.product!;
      const variants = product.variants.map((variant) => ({ ...variant, metadata: [] }));
      expect(await world.run("product", { id: product.id })).to.deep.equal({ ...product, variants });
    });

    it("creates one product per key, in one request or several", async () => {
      const inputs = [mug("A", { idempotencyKey: "a" }), mug("A", { idempotencyKey: "a" }), mug("A")];
      const first: Result[] = await world.run("createProducts", { inputs });
      const second: Result[] = await world.run("createProducts", { inputs: inputs.slice(0, 2) });
      expect(first[1]).to.deep.equal(first[0]);
      expect(second).to.deep.equal(first.slice(0, 2));
      expect(await stored()).to.deep.equal(["A", "A"]);
      const changed: Result[] = await world.run("createProducts", { inputs: [mug("B", { idempotencyKey: "a" })] });
      expect(changed[0]!.error!.issues[0]!.code).to.equal("idempotency_key_reused");
    });

    it("accepts 250 items", async () => {
      const inputs = Array.from({ length: 250 }, (_, index) => mug(`Mug ${index}`));
      const { data } = await world.ask(brief("createProducts"), { inputs });
      expect(data.createProducts.map(({ product }: Result) => product!.title)).to.deep.equal(
        inputs.map(({ title }) => title),
      );
      expect(await stored()).to.have.length(250);
    });
  });

  describe("updateProducts", () => {
    it("applies valid changes and reports invalid ones, in input order", async () => {
      const [a, b] = [
        await buildProduct(server.em, world.shop, { title: "A" }),
        await buildProduct(server.em, world.shop, { title: "B" }),
      ];
      const other = await openWorld(server);
      const foreign = await buildProduct(server.em, other.shop, { title: "Foreign" });
      await eventsSince(server, world.shop);
      const results: Result[] = await world.run("updateProducts", {
        inputs: [
          { id: a.id, title: "A1", expectedVersion: 1 },
          { id: b.id, title: "B1", expectedVersion: 2 },
          { id: newId("prod"), title: "X" },
          { id: foreign.id, title: "X" },
          { id: "\0", title: "X" },
          { id: b.id, handle: a.handle },
          { id: b.id, handle: "NO", status: null },
          { id: b.id },
          { id: b.id, description: "Blue.", expectedVersion: 1 },
        ],
      });
      expect(results.map(({ error }) => error?.code ?? null)).to.deep.equal([
        null,
        "VERSION_CONFLICT",
        "NOT_FOUND",
        "NOT_FOUND",
        "NOT_FOUND",
        "VALIDATION_FAILED",
        "VALIDATION_FAILED",
        null,
        null,
      ]);
      expect(results[1]!.error!.hint).to.match(/^Read it again/);
      expect(results[5]!.error!.issues).to.have.length(1);
      expect(results[6]!.error!.issues.map(({ path }) => path)).to.have.members(["handle", "status"]);
      expect(results.map(({ product }) => product?.id ?? null)).to.deep.equal([
        a.id,
        ...Array(6).fill(null),
        b.id,
        b.id,
      ]);
      expect(results[0]!.product).to.include({ title: "A1", version: 2 });
      expect(results[8]!.product).to.deep.include({ title: "B", description: "Blue.", version: 2 });
      expect(results[8]!.product!.variants).to.have.length(1);
      const topics = (await eventsSince(server, world.shop)).map(({ topic, data }) => [topic, data.productId]);
      expect(topics).to.deep.equal([
        ["product.updated", a.id],
        ["product.updated", b.id],
      ]);
      expect(await eventsSince(server, other.shop)).to.have.length(1);
    });

    it("applies the changes of one product in order, with one event, without refused ones", async () => {
      const a = await buildProduct(server.em, world.shop, { title: "A" });
      const b = await buildProduct(server.em, world.shop, { title: "B" });
      await eventsSince(server, world.shop);
      const inputs = [
        { id: a.id, title: "A1", expectedVersion: 1 },
        { id: b.id, title: "B1" },
        { id: a.id, title: "A2", handle: b.handle },
        { id: a.id, description: "Blue.", expectedVersion: 2 },
        { id: a.id, description: "Red.", expectedVersion: 2 },
      ];
      const results: Result[] = await world.run("updateProducts", { inputs });
      expect(results.map(({ error }) => error?.code ?? null)).to.deep.equal([
        null,
        null,
        "VALIDATION_FAILED",
        null,
        "VERSION_CONFLICT",
      ]);
      const changed = { title: "A1", handle: "a", description: "Blue.", version: 3 };
      expect(await world.run("product", { id: a.id })).to.deep.include(changed);
      expect((await eventsSince(server, world.shop)).map(({ data }) => data.productId)).to.deep.equal([a.id, b.id]);
    });
  });

  describe("deleteProducts", () => {
    it("deletes existing products, once each", async () => {
      const [a, b] = [await buildProduct(server.em, world.shop), await buildProduct(server.em, world.shop)];
      const foreign = await buildProduct(server.em, (await openWorld(server)).shop);
      await eventsSince(server, world.shop);
      const ids = [a.id, foreign.id, "nonsense", a.id, b.id];
      expect(await world.run("deleteProducts", { ids })).to.deep.equal(
        [true, false, false, false, true].map((deleted, index) => ({ id: ids[index], deleted, error: null })),
      );
      expect(await stored()).to.deep.equal([]);
      expect((await eventsSince(server, world.shop)).map(({ topic }) => topic)).to.deep.equal([
        "product.deleted",
        "product.deleted",
      ]);
      const [row] = await query(server.databaseUrl, "select 1 from products where id = $1", [foreign.id]);
      expect(row).not.to.equal(undefined);
    });
  });

  it("refuse 251 items, and none, as a whole", async () => {
    const { id } = await buildProduct(server.em, world.shop, { title: "A" });
    for (const [mutation, argument, item] of [
      ["createProducts", "inputs", mug("B")],
      ["updateProducts", "inputs", { id, title: "B" }],
      ["deleteProducts", "ids", id],
    ] as const) {
      for (const [length, issue] of [
        [251, "too_big"],
        [0, "too_small"],
      ] as const) {
        const answer = await world.ask(brief(mutation), { [argument]: Array(length).fill(item) });
        expect(issuesOf(answer), mutation).to.deep.equal([`${argument} ${issue}`]);
      }
    }
    expect(await stored()).to.deep.equal(["A"]);
  });

  it("stop at an internal error, and preserve earlier results", async () => {
    const name = "fail_on_purpose";
    await query(
      server.databaseUrl,
      `create function ${name}() returns trigger language plpgsql as $$
       begin if new.title = 'Bad' then raise 'no room'; end if; return new; end $$`,
    );
    await query(
      server.databaseUrl,
      `create trigger fail before insert on products for each row execute function ${name}()`,
    );
    try {
      const inputs = [mug("A"), mug("Bad"), mug("C")];
      expect(await world.refusal("createProducts", { inputs })).to.deep.equal(["INTERNAL_SERVER_ERROR"]);
      expect(await stored()).to.deep.equal(["A"]);
    } finally {
      await query(server.databaseUrl, `drop function ${name} cascade`);
    }
  });
});
