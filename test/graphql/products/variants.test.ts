import { expect } from "chai";
import { useWorld } from "../../support/world.ts";
import { createShirt } from "../../support/shops/create-shirt.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { buildProduct } from "../../support/factories.ts";
import { searchWordsOf } from "../../support/search-words.ts";

interface Variant {
  id: string;
  title: string;
  updatedAt: string;
}

describe("Variants in GraphQL", () => {
  const world = useWorld();
  const { server } = world;
  let product: { id: string; version: number; variants: Variant[] };

  beforeEach(async () => {
    product = await createShirt(world);
    await eventsSince(server, world.shop);
  });

  async function expectUpdated(): Promise<void> {
    expect(await eventsSince(server, world.shop)).to.deep.equal([
      { topic: "product.updated", data: { productId: product.id, handle: "shirt", version: 2 } },
    ]);
  }

  async function expectUntouched(): Promise<void> {
    expect(await world.run("product", { id: product.id })).to.deep.equal(product);
    expect(await eventsSince(server, world.shop)).to.deep.equal([]);
  }

  const searchWords = () => searchWordsOf(server.databaseUrl, "products", world.shop.id);

  describe("createVariant", () => {
    it("adds a variant after the others", async () => {
      const input = { optionValues: [" L "], price: "12.50", sku: "SHIRT-L", barcode: "40", inventoryQuantity: 7 };
      const after = await world.run("createVariant", { productId: product.id, input, expectedVersion: 1 });
      expect(after.variants.slice(0, 2)).to.deep.equal(product.variants);
      expect(after.variants).to.have.length(3);
      expect(after.variants[2]).to.deep.include({ ...input, title: "L", optionValues: ["L"], productId: product.id });
      expect(after).to.include({ version: 2, updatedAt: after.variants[2].createdAt });
      expect(await searchWords()).to.deep.equal(["40", "l", "m", "s", "shirt", "shirtl", "shirtm", "shirts"]);
      expect(await world.sql("select variant_id, delta, reason from stock_changes where shop_id = $1")).to.deep.equal([
        { variant_id: after.variants[2].id, delta: 7, reason: "INITIAL" },
      ]);
      await expectUpdated();
    });

    it("gives each of ten concurrent variants its own position", async () => {
      await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          world.run("createVariant", { productId: product.id, input: { optionValues: [`v${index}`], price: "1" } }),
        ),
      );
      const positions = await world.sql<{ position: number }>(
        "select position from variants where shop_id = $1 order by 1",
      );
      expect(positions.map(({ position }) => position)).to.deep.equal(
        Array.from({ length: 12 }, (_, index) => index + 1),
      );
      expect(await world.run("product", { id: product.id })).to.include({ version: 11 });
      expect(await searchWords()).to.deep.equal(["m", "s", "shirt", "shirtm", "shirts"]);
    });

    it("accepts one of ten concurrent variants with the same values", async () => {
      const input = { optionValues: ["L"], price: "1" };
      const answers = await Promise.all(
        Array.from({ length: 10 }, () => world.send("createVariant", { productId: product.id, input })),
      );
      expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(1);
      expect((await world.run("product", { id: product.id })).variants).to.have.length(3);
    });

    it("adds a variant last after a deletion", async () => {
      await world.run("deleteVariant", { id: product.variants[1]!.id });
      const input = { optionValues: ["XS"], price: "1" };
      const { variants } = await world.run("createVariant", { productId: product.id, input });
      expect(variants.map(({ title }: Variant) => title)).to.deep.equal(["S", "XS"]);
    });

    for (const [what, input, issue] of [
      ["values that another variant has, in another case", { optionValues: ["s"] }, "optionValues: repeated"],
      ["too few values", { optionValues: [] }, "optionValues: invalid_value"],
      ["too many values", { optionValues: ["L", "Red"] }, "optionValues: invalid_value"],
      ["NUL", { optionValues: ["\0"] }, "optionValues.0: invalid_text"],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const variables = { productId: product.id, input: { price: "1", ...input } };
        expect(await world.refusal("createVariant", variables)).to.deep.equal(["VALIDATION_FAILED", issue]);
        await expectUntouched();
      });
    }

    it("refuses a second variant for a product without options", async () => {
      const { id } = await buildProduct(server.em, world.shop);
      const variables = { productId: id, input: { price: "1" } };
      expect(await world.refusal("createVariant", variables)).to.deep.equal(["INVALID_STATE"]);
    });

    it("refuses a 101st variant", async () => {
      const { id } = await createShirt(
        world,
        Array.from({ length: 100 }, (_, index) => String(index)),
      );
      const variables = { productId: id, input: { price: "1", optionValues: ["another"] } };
      expect(await world.refusal("createVariant", variables)).to.deep.equal(["INVALID_STATE"]);
    });

    it("refuses another version than the expected one", async () => {
      const variables = { productId: product.id, input: { price: "1", optionValues: ["L"] }, expectedVersion: 2 };
      expect(await world.refusal("createVariant", variables)).to.deep.equal(["VERSION_CONFLICT"]);
      await expectUntouched();
    });
  });

  describe("updateVariant", () => {
    it("changes only the given fields", async () => {
      const [first, second] = product.variants;
      const input = { optionValues: ["NULL"], price: "8.05", sku: "?", barcode: "\\x" };
      const after = await world.run("updateVariant", { id: first!.id, input, expectedVersion: 1 });
      const updatedAt = after.updatedAt;
      expect(after.variants).to.deep.equal([{ ...first, ...input, title: "NULL", updatedAt }, second]);
      expect(after).to.include({ version: 2 });
      expect(await searchWords()).to.deep.equal(["m", "shirt", "shirtm", "x"]);
      await expectUpdated();
    });

    it("accepts values that look like another variant's but differ", async () => {
      const [first, second] = product.variants;
      await world.run("updateVariant", { id: first!.id, input: { optionValues: ["m2"] } });
      await world.run("updateVariant", { id: second!.id, input: { optionValues: ["m²"] } });
    });

    it("refuses control characters in SKU and barcode", async () => {
      for (const field of ["sku", "barcode"]) {
        const variables = { id: product.variants[0]!.id, input: { [field]: "A\u001d1" } };
        const refusal = await world.refusal("updateVariant", variables);
        expect(refusal).to.deep.equal(["VALIDATION_FAILED", `${field}: invalid_text`]);
      }
      await expectUntouched();
    });

    it("accepts its own values in another case", async () => {
      const { variants } = await world.run("updateVariant", {
        id: product.variants[0]!.id,
        input: { optionValues: ["s"] },
      });
      expect(variants[0]).to.include({ title: "s" });
    });

    it("writes and emits nothing without a change", async () => {
      for (const input of [{}, { price: "10.00", sku: " SHIRT-S\n", optionValues: ["S "], barcode: "" }]) {
        expect(await world.run("updateVariant", { id: product.variants[0]!.id, input })).to.deep.equal(product);
      }
      await expectUntouched();
    });

    it("preserves concurrent stock changes", async () => {
      const { id } = product.variants[0]!;
      await Promise.all([
        ...Array.from({ length: 5 }, (_, index) => world.run("updateVariant", { id, input: { sku: `s${index}` } })),
        ...Array.from({ length: 5 }, () =>
          world.run("adjustStock", { changes: [{ variantId: id, delta: 2, reason: "RECEIVED" }] }),
        ),
      ]);
      const after = await world.run("product", { id: product.id });
      expect(after).to.include({ version: 11 });
      expect(after.variants[0]).to.include({ inventoryQuantity: 10 });
    });

    for (const [what, input, issue] of [
      ["values that another variant has", { optionValues: ["m"] }, "optionValues: repeated"],
      ["values that are null", { optionValues: null }, "optionValues: invalid_type"],
      ["a price that is null", { price: null }, "price: invalid_type"],
      ["a sku that is null", { sku: null }, "sku: invalid_type"],
      ["a lone surrogate", { barcode: "\udc00" }, "barcode: invalid_text"],
    ] as const) {
      it(`refuses ${what}`, async () => {
        const variables = { id: product.variants[0]!.id, input };
        expect(await world.refusal("updateVariant", variables)).to.deep.equal(["VALIDATION_FAILED", issue]);
        await expectUntouched();
      });
    }
  });

  describe("deleteVariant", () => {
    it("deletes the variant and preserves the order of the others", async () => {
      const [first, second] = product.variants;
      const after = await world.run("deleteVariant", { id: first!.id, expectedVersion: 1 });
      expect(after.variants).to.deep.equal([second]);
      expect(after).to.include({ version: 2 });
      expect(await searchWords()).to.deep.equal(["m", "shirt", "shirtm"]);
      await expectUpdated();
    });

    it("refuses to delete the last variant, also with concurrent requests", async () => {
      const answers = await Promise.all(product.variants.map(({ id }) => world.send("deleteVariant", { id })));
      const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
      expect(codes).to.deep.equal(["INVALID_STATE"]);
      expect((await world.run("product", { id: product.id })).variants).to.have.length(1);
    });

    it("refuses another version than the expected one", async () => {
      const variables = { id: product.variants[0]!.id, expectedVersion: 2 };
      expect(await world.refusal("deleteVariant", variables)).to.deep.equal(["VERSION_CONFLICT"]);
      await expectUntouched();
    });
  });

  it("are found by ID, with the ID of their product", async () => {
    const [variant] = product.variants;
    expect(await world.run("variant", { id: variant!.id })).to.deep.equal(variant);
  });
});
