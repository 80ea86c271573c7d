import { expect } from "chai";
import fc from "fast-check";
import { foldCase } from "../../../src/platform/fold-text.ts";
import { anyText } from "../../support/properties/arbitraries.ts";
import { useWorld } from "../../support/world.ts";
import { createShirt } from "../../support/shops/create-shirt.ts";
import { query } from "../../support/database.ts";
import { holds } from "../../support/properties/holds.ts";

interface Variant {
  id: string;
  title: string;
  optionValues: string[];
}

const word = fc.oneof({ weight: 4, arbitrary: fc.constantFrom("S", "s ", "M", "null", "a,\nb", '"', "\\") }, anyText);
const values = fc.array(word, { minLength: 0, maxLength: 3 });

const step = fc.oneof(
  fc.record({ kind: fc.constant("create" as const), optionValues: values }),
  fc.record({ kind: fc.constant("update" as const), which: fc.nat(5), optionValues: values }),
  fc.record({ kind: fc.constant("delete" as const), which: fc.nat(5) }),
  fc.record({ kind: fc.constant("rename" as const), optionNames: values }),
);

describe("Options and variants", () => {
  const world = useWorld();
  const { server } = world;

  async function take(id: string, variants: Variant[], one: typeof step extends fc.Arbitrary<infer S> ? S : never) {
    switch (one.kind) {
      case "create":
        return world.send("createVariant", { productId: id, input: { price: "1", optionValues: one.optionValues } });
      case "update":
        return world.send("updateVariant", {
          id: variants[one.which % variants.length]!.id,
          input: { optionValues: one.optionValues },
        });
      case "delete":
        return world.send("deleteVariant", { id: variants[one.which % variants.length]!.id });
      case "rename":
        return world.send("updateProduct", { id, input: { optionNames: one.optionNames } });
    }
  }

  async function expectWhole(product: { id: string; optionNames: string[]; variants: Variant[] }): Promise<void> {
    const { optionNames, variants } = product;
    expect(variants.length).to.be.within(1, 100);
    if (optionNames.length === 0) expect(variants).to.have.length(1);
    expect(new Set(optionNames.map((name) => foldCase(name))).size).to.equal(optionNames.length);
    for (const { title, optionValues } of variants) {
      expect(optionValues).to.have.length(optionNames.length);
      for (const value of optionValues) expect(value).to.equal(value.trim()).and.not.equal("");
      expect(title).to.equal(optionValues.length > 0 ? optionValues.join(" / ") : "Default Title");
    }
    const combinations = variants.map(({ optionValues }) => JSON.stringify(optionValues.map((text) => foldCase(text))));
    expect(new Set(combinations).size).to.equal(variants.length);
    const rows = await query<{ position: number }>(
      server.databaseUrl,
      "select position from variants where product_id = $1",
      [product.id],
    );
    expect(new Set(rows.map(({ position }) => position)).size).to.equal(variants.length);
  }

  holds("stay in agreement whatever is asked, and refuse what would break it without a fault", 25, () =>
    fc.asyncProperty(
      values,
      fc.array(values, { minLength: 1, maxLength: 4 }),
      fc.array(step, { maxLength: 8 }),
      async (optionNames, rows, steps) => {
        const variants = rows.map((optionValues) => ({ price: "1", optionValues }));
        const { data, errors } = await world.send("createProduct", {
          input: { title: "Mug", optionNames, variants },
        });
        for (const { extensions } of errors) expect(extensions.code).to.equal("VALIDATION_FAILED");
        let product = data?.createProduct ?? (await createShirt(world));
        await expectWhole(product);
        for (const one of steps) {
          const answer = await take(product.id, product.variants, one);
          for (const { extensions } of answer.errors) {
            expect(extensions.code).to.be.oneOf(["VALIDATION_FAILED", "INVALID_STATE"]);
          }
          const after = await world.run("product", { id: product.id });
          await expectWhole(after);
          if (answer.errors.length > 0) expect(after).to.deep.equal(product);
          else expect(after).to.deep.equal(Object.values(answer.data)[0]);
          product = after;
        }
      },
    ),
  );
});
