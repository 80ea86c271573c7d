import { expect } from "chai";
import { ProductStatus } from "../../../src/core/model/products/product.enums.ts";
import { buildProduct, buildShop } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";
import { documentOf } from "../../support/graphql.ts";

const LIST = documentOf("lowStock");

describe("Variants with few units in stock", () => {
  const world = useWorld();
  const { server } = world;

  beforeEach(async () => {
    for (const [title, inventoryQuantity] of [
      ["Mug", 6],
      ["Plate", 5],
      ["Bowl", 0],
      ["Cup", 3],
    ] as const) {
      await buildProduct(server.em, world.shop, { title, inventoryQuantity });
    }
    await buildProduct(server.em, world.shop, { inventoryQuantity: 1, status: ProductStatus.ARCHIVED });
    await buildProduct(server.em, await buildShop(server.em), { inventoryQuantity: 1 });
  });

  const list = async (variables: object = {}) => (await world.ask(LIST, { ...variables })).data.shop.lowStock;
  const titlesOf = ({ items }: { items: { productTitle: string }[] }) => items.map(({ productTitle }) => productTitle);

  it("are those of active products, the fewest units first", async () => {
    const found = await list();
    expect(found).to.include({ total: 3, nextCursor: null });
    expect(titlesOf(found)).to.deep.equal(["Bowl", "Cup", "Plate"]);
    expect(found.items[0]).to.include({ title: "Default Title", inventoryQuantity: 0 });
    expect(titlesOf(await list({ atMost: 6 }))).to.deep.equal(["Bowl", "Cup", "Plate", "Mug"]);
  });

  it("come in pages", async () => {
    const first = await list({ limit: 2 });
    expect(titlesOf(first)).to.deep.equal(["Bowl", "Cup"]);
    expect(titlesOf(await list({ limit: 2, after: first.nextCursor }))).to.deep.equal(["Plate"]);
  });
});
