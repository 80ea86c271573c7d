import { expect } from "chai";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import { buildProduct, importProduct } from "../support/factories.ts";
import { itIsPaged } from "../support/requests/rest-reads.ts";
import { useWorld } from "../support/world.ts";

describe("GET /products", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function list(parameters = "") {
    return world.call("GET", `/products${parameters}`);
  }

  async function listTitles(parameters = ""): Promise<string[]> {
    const { status, json } = await list(parameters);
    expect(status).to.equal(200);
    return json.products.map((product: { title: string }) => product.title);
  }

  it("returns the variants of a product in order, with barcodes", async () => {
    const product = await importProduct(server.em, shop, {
      variants: [
        { title: "Small", sku: "S", barcode: "4006381333931", price: "9.50", inventoryQuantity: -2 },
        { title: "Large", sku: "L", price: "12", inventoryQuantity: 7 },
      ],
    });
    const { json } = await list();
    const [small, large] = product.variants;
    expect(json.products[0].variants).to.deep.equal([
      { id: small!.id, title: "Small", sku: "S", barcode: "4006381333931", price: 9.5, inventoryQuantity: -2 },
      { id: large!.id, title: "Large", sku: "L", barcode: "", price: 12, inventoryQuantity: 7 },
    ]);
  });

  itIsPaged(server, { path: "products", build: importProduct });

  it("lists every problem of the query", async () => {
    const { status, json } = await list("?page=0&limit=251&status=GONE&sort=title&__proto__=1");
    expect(status).to.equal(400);
    const named = json.details.map((detail: { path: string }) => detail.path);
    expect(named).to.have.members(["page", "limit", "status", "sort", "__proto__"]);
  });

  describe("status", () => {
    beforeEach(async () => {
      for (const status of Object.values(ProductStatus)) await buildProduct(server.em, shop, { title: status, status });
    });

    it("returns products of every status by default", async () => {
      expect(await listTitles()).to.deep.equal(["ARCHIVED", "DRAFT", "ACTIVE"]);
    });

    it("filters by status", async () => {
      for (const status of Object.values(ProductStatus)) {
        const { json } = await list(`?status=${status}`);
        expect(json.products.map((product: { status: string }) => product.status)).to.deep.equal([status]);
        expect(json.pagination.total).to.equal(1);
      }
    });

    it("counts a product under its current status", async () => {
      await world.sql("update products set status = 'DRAFT' where shop_id = $1 and title = 'ACTIVE'");
      await world.sql("delete from products where shop_id = $1 and title = 'ARCHIVED'");
      for (const [parameters, total] of [
        ["", 2],
        ["?status=ACTIVE", 0],
        ["?status=DRAFT", 2],
        ["?status=ARCHIVED", 0],
      ] as const) {
        expect((await list(parameters)).json.pagination.total, parameters).to.equal(total);
      }
    });
  });

  it("counts exactly after many concurrent creates", async () => {
    // Until the key is known, its requests are anonymous, and fewer may be in flight.
    await list();
    const creates = Array.from({ length: 40 }, (_, index) =>
      world.call("POST", "/products", {
        body: { title: `Product ${index}`, price: 1, status: index % 4 === 0 ? "DRAFT" : "ACTIVE" },
      }),
    );
    for (const { status } of await Promise.all(creates)) expect(status).to.equal(201);
    for (const [parameters, total] of [
      ["?limit=1", 40],
      ["?limit=1&status=DRAFT", 10],
      ["?limit=1&search=product", 40],
      ["?limit=1&search=product&status=ACTIVE", 30],
    ] as const) {
      const { json } = await list(parameters);
      expect(json.pagination.total, parameters).to.equal(total);
    }
  });
});

describe("GET /products/{productId}", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function retrieve(id: string) {
    return world.call("GET", `/products/${id}`);
  }

  it("returns the product with exactly the specified fields, without barcodes", async () => {
    const product = await importProduct(server.em, shop, {
      title: "Mug",
      handle: "mug",
      description: "Holds 350 ml.\nDishwasher safe.",
      status: ProductStatus.DRAFT,
      variants: [
        { title: "Sand", sku: "MUG-S", barcode: "4006381333931", price: "14.5", inventoryQuantity: 40 },
        { title: "Moss", sku: "MUG-M", price: "0.1" },
      ],
    });
    const { status, json } = await retrieve(product.id);
    expect(status).to.equal(200);
    const [sand, moss] = product.variants;
    expect(json).to.deep.equal({
      product: {
        id: product.id,
        title: "Mug",
        handle: "mug",
        status: "DRAFT",
        description: "Holds 350 ml.\nDishwasher safe.",
        variants: [
          { id: sand!.id, title: "Sand", sku: "MUG-S", price: 14.5, inventoryQuantity: 40 },
          { id: moss!.id, title: "Moss", sku: "MUG-M", price: 0.1, inventoryQuantity: 0 },
        ],
      },
    });
  });
});
