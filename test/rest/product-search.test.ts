import { expect } from "chai";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import { buildProduct, buildShop, importProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

describe("GET /products?search", () => {
  const world = useWorld();
  const { server, shop } = world;

  async function search(text: string, more = "") {
    return world.call("GET", `/products?search=${encodeURIComponent(text)}${more}`);
  }

  async function find(text: string): Promise<string[]> {
    const { status, json } = await search(text);
    expect(status, text).to.equal(200);
    const titles: string[] = json.products.map((product: { title: string }) => product.title);
    expect(json.pagination.total, text).to.equal(titles.length);
    return titles;
  }

  it("matches the beginning of a word in the title", async () => {
    await buildProduct(server.em, shop, { title: "Stoneware Mug" });
    await buildProduct(server.em, shop, { title: "Oak Tray" });
    for (const text of ["Stoneware Mug", "stone", "MUG", "m", "  mug  ", "mug\tstone"]) {
      expect(await find(text), text).to.deep.equal(["Stoneware Mug"]);
    }
    expect(await find("ware")).to.deep.equal([]);
  });

  it("matches the beginning of the handle, its words, and any variant's SKU and barcode", async () => {
    await importProduct(server.em, shop, {
      title: "Vase",
      handle: "glass-vase-2",
      variants: [
        { sku: "VAS-12", barcode: "4006381333931" },
        { sku: "VAS-20", barcode: "5901234123457" },
      ],
    });
    for (const text of ["glass-va", "VASE", "vas-12", "vas-2", "20", "40063813", "5901234123457"]) {
      expect(await find(text), text).to.deep.equal(["Vase"]);
    }
  });

  it("matches no word across two values", async () => {
    await importProduct(server.em, shop, {
      title: "Oak",
      handle: "tray",
      variants: [{ sku: "one", barcode: "two" }, { sku: "three" }],
    });
    for (const text of ["oaktray", "trayone", "onetwo", "twothree"]) {
      expect(await find(text), text).to.deep.equal([]);
    }
  });

  it("gives %, _ and other wildcards no meaning", async () => {
    await buildProduct(server.em, shop, { title: "100% Wool", sku: "A_1" });
    await buildProduct(server.em, shop, { title: "Ada's Pins", sku: "AB1" });
    expect(await find("wo%l")).to.deep.equal([]);
    expect(await find("a_1")).to.deep.equal(["100% Wool"]);
    for (const text of ["' or 1=1 --", "p?n", "w.ol"]) expect(await find(text), text).to.deep.equal([]);
  });

  it("does not filter without a word", async () => {
    await buildProduct(server.em, shop);
    for (const text of ["", " ", " \t\n ", "-", "%", "\\", "( )"])
      expect(await find(text), JSON.stringify(text)).to.have.length(1);
  });

  it("combines with the status and pages", async () => {
    for (const title of ["Mug 1", "Mug 2", "Mug 3"]) await buildProduct(server.em, shop, { title });
    await buildProduct(server.em, shop, { title: "Mug 4", status: ProductStatus.DRAFT });
    await buildProduct(server.em, shop, { title: "Tray" });
    const { json } = await search("mug", "&status=ACTIVE&limit=2&page=2");
    expect(json.products.map((product: { title: string }) => product.title)).to.deep.equal(["Mug 1"]);
    expect(json.pagination).to.deep.equal({ page: 2, limit: 2, total: 3, pages: 2 });
  });

  it("finds nothing of another shop", async () => {
    await buildProduct(server.em, await buildShop(server.em), { title: "Foreign" });
    expect(await find("foreign")).to.deep.equal([]);
  });

  it("treats + as a space", async () => {
    await buildProduct(server.em, shop, { title: "Oak Tray" });
    const { json } = await world.call("GET", "/products?search=tray+oak");
    expect(json.pagination.total).to.equal(1);
  });

  it("accepts eight words, each counted once", async () => {
    expect((await search("a b c d e f g h A H")).status).to.equal(200);
    for (const text of ["a b c d e f g h i", "a,b,c,d,e;f;g;h;i"]) {
      const { status, json } = await search(text);
      expect(status, text).to.equal(400);
      expect(json.details, text).to.deep.equal([
        { in: "query", path: "search", code: "too_big", message: "Must have at most 8 words" },
      ]);
    }
  });

  it("accepts up to 200 characters", async () => {
    await buildProduct(server.em, shop, { title: "🍵".repeat(200) });
    expect(await find("🍵".repeat(200))).to.have.length(1);
    const { status, json } = await search("a".repeat(201));
    expect(status).to.equal(400);
    expect(json.details).to.have.length(1);
    expect(json.details[0]).to.include({ in: "query", path: "search", code: "too_big" });
  });

  it("refuses text that cannot be stored", async () => {
    for (const text of ["%00", "a%00b", "%ED%A0%80", "%FF", "%E4", "%", "%2"]) {
      const { status, json } = await world.call("GET", `/products?search=${text}`);
      expect(status, text).to.equal(400);
      expect(json.details, text).to.have.length(1);
      expect(json.details[0], text).to.include({ in: "query", path: "search", code: "invalid_text" });
    }
  });
});
