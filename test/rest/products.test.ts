import { expect } from "chai";
import type { Shop } from "../../src/core/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { buildKey, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

describe("GET /products", () => {
  const server = useServer();
  let shop: Shop;
  let key: string;

  before(async () => {
    shop = await buildShop(server.em);
    key = await buildKey(server.em, shop);
    await buildProduct(server.em, shop, { title: "First", price: "19.99", sku: "A-1", inventoryQuantity: 3 });
    await buildProduct(server.em, shop, { title: "Second" });
  });

  it("returns the shop's products, newest first, with exactly the specified fields", async () => {
    const { status, json } = await call(server, "GET", `/${shop.id}/products`, { key });
    expect(status).to.equal(200);
    expect(json.products.map((product: { title: string }) => product.title)).to.deep.equal(["Second", "First"]);
    expect(json.pagination).to.deep.equal({ page: 1, limit: 50, total: 2, pages: 1 });
    const [, first] = json.products;
    expect(first).to.deep.equal({
      id: first.id,
      title: "First",
      handle: "first",
      status: "ACTIVE",
      variants: [
        {
          id: first.variants[0].id,
          title: "Default Title",
          sku: "A-1",
          barcode: "",
          price: 19.99,
          inventoryQuantity: 3,
        },
      ],
    });
  });
});
