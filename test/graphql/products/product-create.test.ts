import { expect } from "chai";
import { useWorld } from "../../support/world.ts";
import { eventsSince } from "../../support/webhooks/events.ts";

const NUL = "a\0b";
const SURROGATE = "a\ud800b";

describe("createProduct", () => {
  const world = useWorld();
  const { server } = world;

  const mug = { title: "Mug", variants: [{ price: "14.50" }] };

  it("creates a product with options, and returns every field", async () => {
    const input = {
      title: " Shirt ",
      description: "Of linen.\nNull.",
      status: "DRAFT",
      optionNames: ["Size", " Color"],
      variants: [
        { optionValues: ["S", "Sand"], price: "19.90", sku: "S-1", barcode: "4006381333931", inventoryQuantity: 3 },
        { optionValues: ["null", " Moss"], price: "0" },
      ],
    };
    const product = await world.run("createProduct", { input });
    expect(product).to.deep.include({
      title: "Shirt",
      handle: "shirt",
      description: "Of linen.\nNull.",
      status: "DRAFT",
      optionNames: ["Size", "Color"],
      version: 1,
    });
    const [first, second] = product.variants;
    expect(first).to.deep.include({ title: "S / Sand", optionValues: ["S", "Sand"], price: "19.90", sku: "S-1" });
    expect(first).to.deep.include({ barcode: "4006381333931", inventoryQuantity: 3, productId: product.id });
    expect(second).to.deep.include({ title: "null / Moss", optionValues: ["null", "Moss"], price: "0.00", sku: "" });
    expect(await world.run("product", { id: product.id })).to.deep.equal(product);
    expect(await eventsSince(server, world.shop)).to.deep.equal([
      { topic: "product.created", data: { productId: product.id, handle: "shirt", version: 1 } },
    ]);
  });

  it("names the variant of a product without options as specified", async () => {
    const { variants, optionNames } = await world.run("createProduct", { input: mug });
    expect(optionNames).to.deep.equal([]);
    expect(variants).to.have.length(1);
    expect(variants[0]).to.deep.include({ title: "Default Title", optionValues: [], price: "14.50" });
  });

  it("records initial stock in the stock history", async () => {
    const variants = ["S", "M"].map((size, index) => ({
      optionValues: [size],
      price: "1",
      inventoryQuantity: index,
    }));
    const input = { title: "Shirt", optionNames: ["Size"], variants };
    const product = await world.run("createProduct", { input });
    const changes = await world.sql("select * from stock_changes where shop_id = $1");
    expect(changes).to.have.length(1);
    expect(changes[0]).to.deep.include({
      product_id: product.id,
      variant_id: product.variants[1].id,
      order_id: null,
      reason: "INITIAL",
      delta: 1,
      quantity_after: 1,
      actor_id: world.staff.id,
    });
  });

  it("accepts 100 variants of three options, and every character", async () => {
    const odd = ["'", '"', "\\", "{", "}", ",", "a,\nb", "NULL", "?", "$1", ":x", "\\'", "急須", "a\tb", "%"];
    const values = [...odd, ...Array.from({ length: 85 }, (_, index) => `v${index}`)];
    const variants = values.map((value) => ({
      optionValues: ["x", value, `"${value}"`],
      price: "1",
      sku: value.replace(/\s/, " "),
    }));
    const input = { title: "It's ? \\ {all}", optionNames: ["'a", '"b,\n', "NULL"], variants };
    const product = await world.run("createProduct", { input });
    expect(product.optionNames).to.deep.equal(["'a", '"b,', "NULL"]);
    const read = await world.run("product", { id: product.id });
    expect(read).to.deep.equal(product);
    expect(read.variants.map((variant: { sku: string }) => variant.sku)).to.deep.equal(
      values.map((value) => value.replace(/\s/, " ")),
    );
    expect(read.variants[6].optionValues).to.deep.equal(["x", "a,\nb", '"a,\nb"']);
  });

  it("trims SKUs and barcodes", async () => {
    const input = { title: "Mug", variants: [{ price: "1", sku: " A  1\n", barcode: "\u00a04006381 333931\r\n" }] };
    const { variants } = await world.run("createProduct", { input });
    expect(variants[0]).to.include({ sku: "A  1", barcode: "4006381 333931" });
  });

  it("accepts option values that differ in an accent", async () => {
    const variants = ["Pêche", "Péché", "Peche"].map((value) => ({ price: "1", optionValues: [value] }));
    const input = { title: "Tea", optionNames: ["Taste"], variants };
    expect((await world.run("createProduct", { input })).variants).to.have.length(3);
  });

  const size = { title: "Shirt", optionNames: ["Size"], variants: [{ price: "1", optionValues: ["S"] }] };
  const many = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ price: "1", optionValues: [String(index)] }));
  const refused: [what: string, input: object, ...issues: string[]][] = [
    ["a lone surrogate in the description", { ...mug, description: SURROGATE }, "description: invalid_text"],
    ["a long description", { ...mug, description: "a".repeat(20_001) }, "description: too_big"],
    ["no variant", { ...mug, variants: [] }, "variants: too_small"],
    ["two variants without options", { ...mug, variants: [{ price: "1" }, { price: "2" }] }, "variants: too_big"],
    ["101 variants", { ...size, variants: many(101) }, "variants: too_big"],
    ["four options", { ...size, optionNames: ["a", "b", "c", "d"] }, "optionNames: too_big"],
    ["an empty option", { ...size, optionNames: [" "] }, "optionNames.0: too_small"],
    ["a long option", { ...size, optionNames: ["a".repeat(51)] }, "optionNames.0: too_big"],
    [
      "an option twice, in another case",
      { ...size, optionNames: ["Farbe", "FARBE"], variants: [{ price: "1", optionValues: ["a", "b"] }] },
      "optionNames.1: repeated",
    ],
    ["too few values", { ...size, variants: [{ price: "1" }] }, "variants.0.optionValues: invalid_value"],
    [
      "values without options",
      { ...mug, variants: [{ price: "1", optionValues: ["S"] }] },
      "variants.0.optionValues: invalid_value",
    ],
    [
      "the same values twice, in another case",
      { ...size, variants: [...size.variants, { price: "2", optionValues: [" s"] }] },
      "variants.1.optionValues: repeated",
    ],
    [
      "the same values twice, in capitals that have more letters",
      {
        ...size,
        optionNames: ["Size", "Color"],
        variants: ["weiß", "WEISS"].map((color) => ({ price: "2", optionValues: ["ışık", color] })),
      },
      "variants.1.optionValues: repeated",
    ],
    [
      "the same values twice, in capitals of another language",
      { ...size, variants: ["İnce", "INCE"].map((value) => ({ price: "2", optionValues: [value] })) },
      "variants.1.optionValues: repeated",
    ],
    [
      "an empty value",
      { ...size, variants: [{ price: "1", optionValues: [""] }] },
      "variants.0.optionValues.0: too_small",
    ],
    [
      "a long value",
      { ...size, variants: [{ price: "1", optionValues: ["a".repeat(101)] }] },
      "variants.0.optionValues.0: too_big",
    ],
    ["a high price", { ...mug, variants: [{ price: "999999999999.995" }] }, "variants.0.price: too_big"],
    [
      "a tab in the barcode",
      { ...mug, variants: [{ price: "1", barcode: "a\tb" }] },
      "variants.0.barcode: invalid_text",
    ],
    [
      "a value of which nothing is seen",
      { ...size, variants: [{ price: "1", optionValues: ["\u00ad"] }] },
      "variants.0.optionValues.0: too_small",
    ],
    ["NUL in the barcode", { ...mug, variants: [{ price: "1", barcode: NUL }] }, "variants.0.barcode: invalid_text"],
    [
      "stock out of bounds",
      { ...mug, variants: [{ price: "1", inventoryQuantity: -1 }] },
      "variants.0.inventoryQuantity: too_small",
    ],
    [
      "much that is wrong, all at once",
      {
        title: "",
        optionNames: [""],
        variants: [
          { price: "-1", sku: NUL },
          { price: "0.001", optionValues: ["a"] },
        ],
      },
      "title: too_small",
      "optionNames.0: too_small",
      "variants.0.price: too_small",
      "variants.0.sku: invalid_text",
      "variants.1.price: too_many_decimals",
      "variants.0.optionValues: invalid_value",
    ],
  ];
  for (const [what, input, ...issues] of refused) {
    it(`refuses ${what}`, async () => {
      const [code, ...found] = await world.refusal("createProduct", { input });
      expect(code).to.equal("VALIDATION_FAILED");
      expect(found).to.have.members(issues.filter((issue) => issue !== ""));
      expect(await world.sql("select 1 from products where shop_id = $1")).to.deep.equal([]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([]);
    });
  }
});
