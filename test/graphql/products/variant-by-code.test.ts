import { expect } from "chai";
import { ProductStatus } from "../../../src/core/model/products/product.enums.ts";
import { buildProduct, buildShop, importProduct } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

interface Match {
  variant: { id: string; sku: string; barcode: string; productId: string };
  product: { id: string; title: string; status: string };
}

describe("variantByCode", () => {
  const world = useWorld();
  const { server } = world;

  const scan = (code: string): Promise<Match[]> => world.run("variantByCode", { code });
  const titlesOf = async (code: string) => (await scan(code)).map(({ product }) => product.title);
  const build = (title: string, codes: { sku?: string; barcode?: string }) =>
    buildProduct(server.em, world.shop, { title, ...codes });

  it("returns the variant with its product, of any status", async () => {
    const input = { title: "Mug", status: ProductStatus.DRAFT, optionNames: ["Size"] };
    const variants = ["S", "M"].map((size) => ({ optionValues: [size], price: "1", sku: `MUG-${size}` }));
    const { id } = await world.run("createProduct", { input: { ...input, variants } });
    const [match, ...others] = await scan("MUG-M");
    expect(others).to.deep.equal([]);
    expect(match!.product).to.deep.include({ id, title: "Mug", status: "DRAFT" });
    expect(match!.variant).to.deep.equal(await world.run("variant", { id: match!.variant.id }));
    expect(match!.variant).to.include({ sku: "MUG-M", productId: id });
  });

  for (const [what, code, found, notFound = []] of [
    [
      "an EAN-13",
      { barcode: "4006381333931" },
      [
        "4006381333931",
        "4 006381 333931",
        "04006381333931",
        "]E04006381333931",
        "400-6381-333931",
        " 4006381333931\r\n",
      ],
      ["400638133393", "006381333931", "14006381333931", "40063813339310"],
    ],
    ["a UPC-A", { barcode: "036000291452" }, ["036000291452", "0036000291452", "36000291452", "]E00036000291452"]],
    ["a UPC-A stored as an EAN-13", { barcode: "0036000291452" }, ["036000291452", "00036000291452", "36000291452"]],
    ["a UPC stored as the SKU", { sku: "036000291452" }, ["36000291452", "0036000291452", "0 36000 29145 2"]],
    ["an EAN-8", { barcode: "96385074" }, ["96385074", "]E496385074", "00000096385074"], ["9638507"]],
    [
      "an item number in GS1-128, DataMatrix, a text and a QR code",
      { barcode: "9506000134352" },
      [
        "]C1010950600013435217251231",
        "]d2010950600013435210ABC\u001d17251231",
        "(01)09506000134352(10)ABC",
        "(10) A-1(B) (01) 09506000134352",
        "https://id.gs1.org/01/09506000134352/10/ABC?11=1",
        "HTTPS://ID.GS1.ORG/01/09506000134352",
        "https://example.com/a/gtin/01/9506000134352",
        "]Q1https://example.com/gtin/09506000134352/lot/01",
        // FNC1 in the first position, which some scanners send.
        "\u001d0109506000134352",
        "]d2\u001d0109506000134352\u001d10ABC",
        "]Q3\u001d0109506000134352\u001d",
        "]e00109506000134352",
        // After elements of every kind: of a predefined length, of a measure, and ended by FNC1, also an unknown one.
        "172612310109506000134352",
        "]C1112601310109506000134352",
        "20013103001250410950600013437401095060001343520",
        "17261231\u001d0109506000134352",
        "]C110ABC\u001d0109506000134352",
        "70032612311200\u001d43211\u001d8020]01/(01)\u001d0109506000134352",
      ],
      [
        "https://example.com/9506000134352",
        "https://example.com/010/09506000134352",
        "]C10119506000134352",
        // The content of a pallet, a pallet, a made-to-order item, and a lot that only looks like an item.
        "]C102095060001343523710",
        "(02)09506000134352(37)10",
        "00000009506000134352",
        "]C100000009506000134352",
        "0309506000134352",
        "10LOT0109506000134352",
        "(10)0109506000134352",
        // Cut short, and of letters.
        "]C101095060001343",
        "1726120109506000134352",
        "01ABCDEFGHIJKLMN",
        "]d2\u001d",
        "(01)",
      ],
    ],
    ["a long code with zeros", { barcode: "00012345678901234567" }, ["00012345678901234567"], ["12345678901234567"]],
    ["an ISBN with X", { barcode: "080442957X" }, ["080442957x", "0-8044-2957-X"]],
    [
      "a SKU",
      { sku: "Abc-12/3 X" },
      ["Abc-12/3 X", "ABC-12/3 x", "abc123x", "ABC 123 X", "]C0Abc-12/3 X", "ａｂｃ１２３ｘ"],
      ["ABC", "abc-12", "abc123", "0abc123x"],
    ],
    ["a SKU with zeros", { sku: "000" }, ["0", "000", "0-00"], ["", "O"]],
    ["a number", { sku: "007" }, ["7", "007", "٧"], ["70"]],
    ["a SKU of other scripts", { sku: "ГВОЗДЬ-Ö5" }, ["гвоздь-ö5", "ГВОЗДЬ O5"], ["гвоздь"]],
    ["a word of every title", { sku: "Mug" }, ["mug", "MUG"], ["mugs"]],
    ["a long SKU", { sku: `A${"9".repeat(63)}` }, [`a${"9".repeat(63)}`], [`A${"9".repeat(64)}`]],
  ] as [what: string, code: { sku?: string; barcode?: string }, found: string[], notFound?: string[]][]) {
    it(`finds ${what} in any spelling, and no other code`, async () => {
      await build("Mug", code);
      await build("Mug of another", { sku: "OTHER-1", barcode: "5400000002649" });
      for (const each of found) expect(await titlesOf(each), JSON.stringify(each)).to.deep.equal(["Mug"]);
      for (const each of notFound) expect(await titlesOf(each), JSON.stringify(each)).to.deep.equal([]);
    });
  }

  it("returns every match, first the code as typed, then the newest", async () => {
    await build("First", { sku: "12-3" });
    await build("Second", { barcode: "00123" });
    await build("Third", { sku: "123" });
    expect(await titlesOf("123")).to.deep.equal(["Third", "Second", "First"]);
    expect(await titlesOf("12-3")).to.deep.equal(["First", "Third", "Second"]);
  });

  it("returns at most ten matches", async () => {
    const variants = Array.from({ length: 12 }, () => ({ barcode: "4006381333931" }));
    await importProduct(server.em, world.shop, { variants });
    expect(await scan("4006381333931")).to.have.length(10);
  });

  it("follows changes", async () => {
    const { id } = await build("Mug", { sku: "A-1" });
    const { variant } = (await scan("A-1"))[0]!;
    await world.run("updateVariant", { id: variant.id, input: { sku: "B-1" } });
    expect([await titlesOf("A-1"), await titlesOf("B-1")]).to.deep.equal([[], ["Mug"]]);
    await world.run("deleteProduct", { id });
    expect(await titlesOf("B-1")).to.deep.equal([]);
  });

  it("finds nothing of other shops, in variants without codes, or for a code without letters and digits", async () => {
    await buildProduct(server.em, await buildShop(server.em), { sku: "A-1" });
    await build("0", {});
    for (const code of ["A-1", "0", "", " ", "--", "%", "]E0"]) expect(await scan(code), code).to.deep.equal([]);
  });

  for (const [what, code, issue] of [
    ["a long code", "a".repeat(201), "code: too_big"],
    ["NUL", "\0", "code: invalid_text"],
    ["a lone surrogate", "\ud800", "code: invalid_text"],
  ] as const) {
    it(`refuses ${what}`, async () => {
      expect(await world.refusal("variantByCode", { code })).to.deep.equal(["VALIDATION_FAILED", issue]);
    });
  }
});
