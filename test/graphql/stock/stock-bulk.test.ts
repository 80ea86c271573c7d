import { expect } from "chai";
import { useWorld } from "../../support/world.ts";
import { createShirt } from "../../support/shops/create-shirt.ts";
import { eventsSince } from "../../support/webhooks/events.ts";

interface Result {
  change: { delta: number; quantityAfter: number } | null;
  error: { code: string } | null;
}

describe("Bulk stock changes", () => {
  const world = useWorld();
  const { server } = world;
  /** A shirt in three sizes, and a cap in one. */
  let shirt: { id: string; variants: { id: string }[] };
  let cap: { id: string; variants: { id: string }[] };

  beforeEach(async () => {
    shirt = await createShirt(world, ["S", "M", "L"]);
    cap = await world.run("createProduct", { input: { title: "Cap", variants: [{ price: "5" }] } });
    await eventsSince(server, world.shop);
  });

  async function adjust(...changes: object[]): Promise<Result[]> {
    const filled = changes.map((change) => ({ variantId: shirt.variants[0]!.id, reason: "RECEIVED", ...change }));
    return world.run("adjustStock", { changes: filled });
  }

  async function stock(): Promise<number[]> {
    const { variants } = await world.run("product", { id: shirt.id });
    return variants.map(({ inventoryQuantity }: { inventoryQuantity: number }) => inventoryQuantity);
  }

  async function expectUpdated(...productIds: string[]): Promise<void> {
    const events = await eventsSince(server, world.shop);
    expect(events.map(({ topic, data }) => [topic, data.productId])).to.deep.equal(
      productIds.map((id) => ["product.updated", id]),
    );
  }

  it("emit one event per product when several variants are set", async () => {
    const changes = shirt.variants.map(({ id }) => ({ variantId: id, quantity: 5 }));
    await world.run("setStock", { changes });
    expect(await stock()).to.deep.equal([5, 5, 5]);
    await expectUpdated(shirt.id);
  });

  it("emit one event per product when several variants are adjusted", async () => {
    const [small, medium, large] = shirt.variants.map(({ id }) => ({ variantId: id, delta: 1 }));
    await adjust(small!, { variantId: cap.variants[0]!.id, delta: 1 }, medium!, small!, large!);
    expect(await stock()).to.deep.equal([2, 1, 1]);
    await expectUpdated(shirt.id, cap.id);
  });

  it("discard refused changes completely", async () => {
    const refused = { delta: -99, idempotencyKey: "a" };
    const results = await adjust({ delta: 1 }, refused, { delta: 2, idempotencyKey: "b" });
    expect(results.map(({ change }) => change?.quantityAfter)).to.deep.equal([1, undefined, 3]);
    expect(results[1]!.error!.code).to.equal("INSUFFICIENT_STOCK");
    expect(await stock()).to.deep.equal([3, 0, 0]);
    await expectUpdated(shirt.id);
    expect((await adjust({ ...refused, delta: 3 }))[0]!.change).to.include({ quantityAfter: 6 });
  });

  it("run one after another for the same product, in any order", async () => {
    const changes = Array.from({ length: 10 }, (_, index) => ({ delta: 1, idempotencyKey: `key-${index}` }));
    const answers = await Promise.all([adjust(...changes), adjust(...changes.toReversed()), adjust(...changes)]);
    expect(answers.flat().map(({ error }) => error)).to.deep.equal(Array(30).fill(null));
    expect(await stock()).to.deep.equal([10, 0, 0]);
    await expectUpdated(shirt.id);
  });
});
