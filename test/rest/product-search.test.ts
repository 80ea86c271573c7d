import { expect } from "chai";
import { ProductStatus } from "../../src/core/model/products/product.enums.ts";
import { call } from "../support/client.ts";
import { buildProduct, buildShop, importProduct } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { useKey } from "../support/shops/use-shop.ts";

describe("GET /products?search", () => {
  const server = useServer();
  const { shop, auth } = useKey(server);

  async function search(text: string, more = "") {
    return call(server, "GET", `/${shop.id}/products?search=${encodeURIComponent(text)}${more}`, auth);
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

  it("requires every word, in any order and any value", async () => {
    await importProduct(server.em, shop, { title: "Linen Apron", variants: [{ sku: "APR-7" }] });
    await importProduct(server.em, shop, { title: "Linen Blanket", variants: [{ sku: "BLA-7" }] });
    expect(await find("linen")).to.have.length(2);
    expect(await find("apron linen")).to.deep.equal(["Linen Apron"]);
    expect(await find("7 blank linen")).to.deep.equal(["Linen Blanket"]);
    expect(await find("linen lamp")).to.deep.equal([]);
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

  describe("case", () => {
    for (const [title, ...texts] of [
      ["Müller Öl", "MÜLLER", "öl", "müll"],
      ["ЧАЙНИК", "чайник", "Чай"],
      ["ΟΔΟΣ", "οδος", "ΟΔΟΣ", "οδοσ"],
      ["ΔΟΣΗ", "δοση", "ΔΟΣ", "δοσ"],
      ["Łódź", "łódź", "ŁÓDŹ"],
      ["Çay Bardağı", "ÇAY", "bardağ"],
    ] as const) {
      it(`is ignored in ${title}`, async () => {
        await buildProduct(server.em, shop, { title });
        for (const text of texts) expect(await find(text), text).to.deep.equal([title]);
      });
    }
  });

  describe("accents, and letters that people type without them", () => {
    for (const [title, ...texts] of [
      ["Weiß", "WEISS", "weiss", "Weiß", "WEIẞ"],
      ["Crème Brûlée", "creme brulee", "CREME"],
      ["İST Lamba IŞIK", "ist", "İST", "ışık", "IŞIK", "isik"],
      ["Σίσυφος", "σισυφοσ", "ΣΙΣΥΦΟΣ"],
      ["Smørrebrød", "smorrebrod", "SMØRREBRØD"],
      ["Levi’s", "levi's", "LEVI´S"],
      ["T\u2011Shirt", "t-shirt", "T–Shirt"],
      ["Tea\u00adpot\u200b", "teapot", "tea\u200bpot"],
    ] as const) {
      it(`are ignored in ${title}`, async () => {
        await importProduct(server.em, shop, { title });
        for (const text of texts) expect(await find(text), text).to.deep.equal([title]);
      });
    }

    it("are ignored in SKUs", async () => {
      await importProduct(server.em, shop, { title: "Mug", variants: [{ sku: "STRAßE-1" }, { sku: "ÉTÉ-1" }] });
      for (const text of ["STRASSE-1", "strasse-1", "été-1", "ETE-1"]) {
        expect(await find(text), text).to.deep.equal(["Mug"]);
      }
    });

    it("are significant where they make another letter", async () => {
      await importProduct(server.em, shop, { title: "ガラス" });
      expect(await find("カラス")).to.deep.equal([]);
      expect(await find("ｶﾞﾗｽ")).to.deep.equal(["ガラス"]);
    });
  });

  describe("a barcode", () => {
    for (const [barcode, ...texts] of [
      ["036000291452", "036000291452", "0036000291452", "00036000291452", "36000291452", "0 36000 29145 2"],
      ["0036000291452", "036000291452", "36000291452", "00036000291452"],
      ["4006381 333931", "4006381333931", "4006381 333931", "04006381333931", "4006381", "333931"],
      ["4006381333931", "4006381 333931", "400-6381-333931"],
      ["978-3-16-148410-0", "9783161484100", "978-3-16-148410-0", "978 3 16 148410 0", "09783161484100"],
      ["9783161484100", "978-3-16-148410-0"],
      ["080442957X", "0-8044-2957-X", "0-8044-2957-x", "0 8044 2957 X"],
      ["12345", "0012345", "12345"],
      ["ABC 0123 X", "abc0123x", "abc 0123 x", "ABC0123"],
    ] as const) {
      it(`is found by its characters: ${barcode}`, async () => {
        await importProduct(server.em, shop, { title: "Mug", handle: "mug", variants: [{ sku: "a" }, { barcode }] });
        for (const text of texts) expect(await find(text), text).to.deep.equal(["Mug"]);
      });
    }

    it("is not found by another with the same ending", async () => {
      await importProduct(server.em, shop, { title: "Mug", handle: "mug", variants: [{ barcode: "9912345" }] });
      for (const text of ["0012345", "00-12345", "00009912", "0991"]) expect(await find(text), text).to.deep.equal([]);
    });
  });

  it("ignores Unicode composition", async () => {
    await buildProduct(server.em, shop, { title: "Cafe\u0301 composed" });
    await buildProduct(server.em, shop, { title: "Caf\u00e9 precomposed" });
    expect(await find("caf\u00e9")).to.have.length(2);
    expect(await find("CAFE\u0301")).to.have.length(2);
  });

  describe("equivalent characters", () => {
    for (const [title, ...texts] of [
      // The micro sign, and the Greek letter.
      ["Brush 5 \u00b5m", "5 \u03bcm", "\u039cM", "\u00b5"],
      ["Ruler 5 \u03bcm", "5 \u00b5m"],
      ["\ufb01nest silk", "FINEST", "fine", "\ufb01ne"],
      ["Fine linen", "\ufb01ne"],
      ["Ｍｕｇ １２", "mug 12"],
      ["Plate m²", "m2", "M²"],
      ["J\u030caj", "\u01f0aj", "j\u030caj"],
    ] as const) {
      it(`find each other: ${title}`, async () => {
        await buildProduct(server.em, shop, { title });
        for (const text of texts) expect(await find(text), text).to.deep.equal([title]);
      });
    }
  });

  it("finds text in other scripts, and symbols", async () => {
    await buildProduct(server.em, shop, { title: "急須 🍵 Teapot" });
    for (const text of ["急", "急須", "🍵"]) expect(await find(text), text).to.have.length(1);
    expect(await find("🍶")).to.deep.equal([]);
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

  it("finds a product immediately after its creation", async () => {
    const created = await call(server, "POST", `/${shop.id}/products`, { ...auth, body: { title: "Fresh", price: 1 } });
    expect(created.status).to.equal(201);
    expect(await find("fresh")).to.deep.equal(["Fresh"]);
  });

  it("finds nothing of another shop", async () => {
    await buildProduct(server.em, await buildShop(server.em), { title: "Foreign" });
    expect(await find("foreign")).to.deep.equal([]);
  });

  it("treats + as a space", async () => {
    await buildProduct(server.em, shop, { title: "Oak Tray" });
    const { json } = await call(server, "GET", `/${shop.id}/products?search=tray+oak`, auth);
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
      const { status, json } = await call(server, "GET", `/${shop.id}/products?search=${text}`, auth);
      expect(status, text).to.equal(400);
      expect(json.details, text).to.have.length(1);
      expect(json.details[0], text).to.include({ in: "query", path: "search", code: "invalid_text" });
    }
  });
});
