import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { useWorld } from "../../support/world.ts";
import { buildProduct } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";

interface Result {
  change: { id: string };
}

const LIST = documentOf("stockChanges");

describe("The stock history", () => {
  const world = useWorld();
  const { server } = world;
  let productId: string;
  let variantId: string;

  beforeEach(async () => {
    const product = await buildProduct(server.em, world.shop, { inventoryQuantity: 10 });
    productId = product.id;
    variantId = product.variants[0]!.id;
  });

  async function adjust(...changes: object[]): Promise<Result[]> {
    const filled = changes.map((change) => ({ variantId, reason: "CORRECTED", ...change }));
    return world.run("adjustStock", { changes: filled });
  }

  async function list(variables: object = {}) {
    const { data, errors } = await world.ask(LIST, { ...variables });
    expect(errors).to.deep.equal([]);
    return data.shop.stockChanges as {
      total: number;
      nextCursor: string | null;
      items: { id: string; delta: number; reason: string; productId: string; createdAt: string }[];
    };
  }

  it("is newest first, and outlives the product", async () => {
    const results = await adjust({ delta: 5, reason: "RECEIVED", note: "Crate" });
    const titles = { productTitle: "Test product", variantTitle: "Default Title" };
    expect((await list()).items[0]).to.deep.include(titles);
    await world.run("deleteProduct", { id: productId });
    const { total, items } = await list();
    expect(total).to.equal(2);
    const [first, second] = items;
    expect(first).to.deep.include({
      id: results[0]!.change.id,
      productId,
      variantId,
      orderId: null,
      reason: "RECEIVED",
      note: "Crate",
      delta: 5,
      quantityAfter: 15,
      actorId: world.staff.id,
      productTitle: null,
      variantTitle: null,
    });
    expect(second).to.deep.include({ reason: "INITIAL", delta: 10, actorId: null });
    expect(second!.createdAt <= first!.createdAt).to.equal(true);
  });

  it("filters by variant, product, reason and time", async () => {
    const other = await buildProduct(server.em, world.shop, { inventoryQuantity: 1 });
    await adjust({ delta: 1, reason: "RECEIVED" }, { delta: 2, reason: "LOST" });
    const deltas = async (filter: object) => (await list(filter)).items.map(({ delta }) => delta).toSorted();
    expect(await deltas({ variantId })).to.deep.equal([1, 10, 2]);
    expect(await deltas({ productId: other.id })).to.deep.equal([1]);
    expect(await deltas({ reason: "INITIAL" })).to.deep.equal([1, 10]);
    expect(await deltas({ reason: "LOST", variantId, productId })).to.deep.equal([2]);
    const { createdAt } = (await list({ reason: "LOST" })).items[0]!;
    expect(await deltas({ createdSince: createdAt, variantId }))
      .to.include(2)
      .and.not.include(10);
    expect((await list({ variantId })).total).to.equal(3);
    for (const nothing of ["nonsense", "", newId("var")]) {
      for (const filter of [{ variantId: nothing }, { productId: nothing }]) {
        expect(await list(filter)).to.deep.equal({ total: 0, items: [], nextCursor: null });
      }
    }
  });

  it("has pages by cursor, complete in both orders", async () => {
    await adjust(...Array.from({ length: 12 }, (_, index) => ({ delta: index + 1 })));
    await world.sql("update stock_changes set created_at = '2026-01-31T09:30:00Z' where shop_id = $1");
    for (const order of ["ASC", "DESC"]) {
      const seen: string[] = [];
      let after: string | null = null;
      do {
        const page: Awaited<ReturnType<typeof list>> = await list({ limit: 5, order, after });
        expect(page.total).to.equal(13);
        seen.push(...page.items.map(({ id }) => id));
        after = page.nextCursor;
      } while (after);
      expect(seen).to.deep.equal([...new Set(seen)].toSorted((a, b) => (order === "ASC" ? 1 : -1) * (a < b ? -1 : 1)));
      expect(seen).to.have.length(13);
    }
  });
});
