import { expect } from "chai";
import fc from "fast-check";
import { largestAmount } from "../../src/platform/money.ts";
import { currencyOf } from "../support/currency.ts";
import { codePoint } from "../support/properties/arbitraries.ts";
import { holds } from "../support/properties/holds.ts";
import { useServer } from "../support/server.ts";
import { World } from "../support/world.ts";

/** A create as text, and what it stands for. */
interface Create {
  body: string;
  title: string;
  sku: string;
  inventoryQuantity: number;
  status: string;
  /** The price as a decimal without zeros to spare, as PostgreSQL would print it. */
  price: string;
}

const character = fc.oneof(
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 1 }),
  codePoint.filter((text) => text !== "\0"),
  fc.constantFrom(..."%_\\'\"<>&\r\n\t", "\u202e", "\u200b", "e\u0301", "ß", "İ", "Σ"),
);
const space = fc.constantFrom("", " ", "\t", "\n", "\u00a0", "\ufeff", "\u2028", "  ");
const title = fc
  .array(character, { minLength: 1, maxLength: 40 })
  .map((characters) => characters.join("").trim())
  .filter((text) => text.replace(/[\s\p{Cc}\p{Default_Ignorable_Code_Point}]/gu, "") !== "");
const anySku = fc
  .array(character, { maxLength: 16 })
  .map((characters) => characters.join("").replace(/[\p{Cc}\u2028\u2029]/gu, ""))
  .map((text) => text.trim());

/** An amount that the currency can express, in one of the spellings that JSON has for it. */
function priceIn(code: string): fc.Arbitrary<{ text: string; decimal: string }> {
  const currency = currencyOf(code);
  const places = currency.currencyDecimals;
  const most = Number(largestAmount(currency).replace(".", ""));
  const amount = fc.oneof(
    fc.nat(100_000),
    fc.maxSafeNat().map((n) => n % (most + 1)),
    fc.constant(most),
  );
  return fc.tuple(amount, fc.constantFrom("plain", "padded", "exponent", "big exponent")).map(([minor, spelling]) => {
    const digits = String(minor).padStart(places + 1, "0");
    const padded = places === 0 ? digits : `${digits.slice(0, -places)}.${digits.slice(-places)}`;
    const decimal = padded.includes(".") ? padded.replace(/\.?0+$/, "") : padded;
    const spellings: Record<string, string> = {
      plain: decimal,
      padded,
      exponent: `${minor}e-${places}`,
      "big exponent": `${minor && `${minor}00`}E-${places + 2}`,
    };
    return { text: spellings[spelling]!, decimal };
  });
}

function createIn(currency: string): fc.Arbitrary<Create> {
  return fc
    .record({
      title,
      before: space,
      after: space,
      price: priceIn(currency),
      sku: fc.option(anySku, { nil: undefined }),
      inventoryQuantity: fc.option(fc.oneof(fc.nat(1_000_000_000), fc.constant(1_000_000_000)), { nil: undefined }),
      status: fc.option(fc.constantFrom("ACTIVE", "DRAFT", "ARCHIVED"), { nil: undefined }),
    })
    .map(({ before, after, price, ...rest }) => {
      const { sku = "", inventoryQuantity = 0, status = "ACTIVE" } = rest;
      const spaced = { title: before + rest.title + after, sku: rest.sku && before + rest.sku + after };
      const others = JSON.stringify({ ...rest, ...spaced }).slice(1);
      const body = `{"price":${price.text},${others}`;
      return { body, title: rest.title, sku, inventoryQuantity, status, price: price.decimal };
    });
}

describe("An accepted product", () => {
  const world = new World(useServer());
  const { server } = world;

  for (const currency of ["EUR", "HUF", "JPY", "KWD", "CLF"]) {
    describe(`in ${currency}`, () => {
      before(() => world.open({ currency }));

      holds("reads back as it was sent, alone and in lists", 20, () =>
        fc.asyncProperty(createIn(currency), async (create) => {
          const created = await world.call("POST", "/products", { body: create.body });
          expect(created.status, created.text).to.equal(201);
          const { id, handle } = created.json.product;
          const product = { id, title: create.title, handle, status: create.status };
          expect(created.json).to.deep.equal({ product });
          expect(handle).to.match(/^[\p{L}\p{M}\p{N}]+(-[\p{L}\p{M}\p{N}]+)*$/u);
          expect(created.headers.get("location")).to.equal(`/api/v1/${world.shop.id}/products/${id}`);

          const single = await world.call("GET", `/products/${id}`);
          const [{ id: variantId }] = single.json.product.variants;
          const { sku, inventoryQuantity } = create;
          const variant = {
            id: variantId,
            title: "Default Title",
            sku,
            price: Number(create.price),
            inventoryQuantity,
          };
          expect(single.json).to.deep.equal({ product: { ...product, description: null, variants: [variant] } });

          const listed = { ...product, variants: [{ ...variant, barcode: "" }] };
          const lists = ["limit=1", `limit=1&status=${create.status}`];
          for (const parameters of lists) {
            const { json } = await world.call("GET", `/products?${parameters}`);
            expect(json.products, parameters).to.deep.equal([listed]);
          }
          const prices = "select trim_scale(price)::text as price from variants where shop_id = ? and id = ?";
          const stored = await server.em.getConnection().execute(prices, [world.shop.id, variantId]);
          expect(stored).to.deep.equal([{ price: create.price }]);
        }),
      );
    });
  }

  it("has its own handle, whatever the other titles", async () => {
    await world.open();
    const titles = ["Mug", "mug", " MUG ", "Müg", "mug-2", "Mug!", "😀", "\u202e!", "-", "Mug 2", "m-u-g"];
    const handles = new Set<string>();
    for (const taken of [...titles, ...titles]) {
      const { status, json } = await world.call("POST", "/products", { body: { title: taken, price: 1 } });
      expect(status).to.equal(201);
      handles.add(json.product.handle);
    }
    expect(handles.size).to.equal(titles.length * 2);
  });
});
