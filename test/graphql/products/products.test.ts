import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { openWorld, useWorld } from "../../support/world.ts";
import { createShirt } from "../../support/shops/create-shirt.ts";
import { eventsSince } from "../../support/webhooks/events.ts";
import { buildOrder, buildProduct } from "../../support/factories.ts";
import { searchWordsOf } from "../../support/search-words.ts";

const NUL = "a\0b";

describe("Products in GraphQL", () => {
  const world = useWorld();
  const { server } = world;

  const mug = { title: "Mug", variants: [{ price: "14.50" }] };

  describe("updateProduct", () => {
    it("changes only the given fields", async () => {
      const before = await createShirt(world);
      await eventsSince(server, world.shop);
      const input = { title: "Blouse", description: "Soft.", handle: "soft-blouse", optionNames: ["Fit"] };
      const after = await world.run("updateProduct", { id: before.id, input });
      expect(after).to.deep.equal({ ...before, ...input, version: 2, updatedAt: after.updatedAt });
      expect(after.updatedAt > before.updatedAt).to.equal(true);
      expect(await world.run("product", { id: before.id })).to.deep.equal(after);
      expect(await searchWordsOf(server.databaseUrl, "products", world.shop.id)).to.deep.equal([
        "blouse",
        "m",
        "s",
        "shirt",
        "shirtm",
        "shirts",
        "soft",
        "softblouse",
      ]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([
        { topic: "product.updated", data: { productId: before.id, handle: "soft-blouse", version: 2 } },
      ]);
    });

    it("clears the description with null only", async () => {
      const input = { ...mug, description: "Big." };
      const { id } = await world.run("createProduct", { input });
      expect((await world.run("updateProduct", { id, input: { title: "Cup" } })).description).to.equal("Big.");
      expect((await world.run("updateProduct", { id, input: { description: null } })).description).to.equal(null);
    });

    it("writes and emits nothing without a change", async () => {
      const before = await createShirt(world);
      await eventsSince(server, world.shop);
      const { title, handle, status, description, optionNames } = before;
      for (const input of [{}, { title: ` ${title} `, handle, status, description, optionNames }]) {
        expect(await world.run("updateProduct", { id: before.id, input, expectedVersion: 1 })).to.deep.equal(before);
      }
      expect(await eventsSince(server, world.shop)).to.deep.equal([]);
    });

    it("refuses another product's handle", async () => {
      const { handle } = await buildProduct(server.em, world.shop, { title: "Cup" });
      const product = await buildProduct(server.em, world.shop, { title: "Mug" });
      await eventsSince(server, world.shop);
      expect(await world.refusal("updateProduct", { id: product.id, input: { handle, title: "Other" } })).to.deep.equal(
        ["VALIDATION_FAILED", "handle: taken"],
      );
      expect((await world.run("product", { id: product.id })).title).to.equal("Mug");
      expect(await eventsSince(server, world.shop)).to.deep.equal([]);
    });

    it("accepts a handle in letters of every script and composition", async () => {
      const { id } = await createShirt(world);
      for (const handle of ["木のボウル", "กาน้ำชา-2", "हिन्दी-चाय", "größe", "a--b"]) {
        const input = { handle: handle.normalize("NFD") };
        expect((await world.run("updateProduct", { id, input })).handle).to.equal(handle);
      }
    });

    it("accepts a handle of another shop", async () => {
      const other = await openWorld(server);
      const { handle } = await buildProduct(server.em, other.shop, { title: "Cup" });
      const { id } = await buildProduct(server.em, world.shop);
      expect((await world.run("updateProduct", { id, input: { handle } })).handle).to.equal(handle);
    });

    it("gives a handle to one of ten concurrent requests", async () => {
      const products = [];
      for (let index = 0; index < 10; index += 1) products.push(await buildProduct(server.em, world.shop));
      const answers = await Promise.all(
        products.map(({ id }) => world.send("updateProduct", { id, input: { handle: "wanted" } })),
      );
      expect(answers.filter(({ errors }) => errors.length === 0)).to.have.length(1);
      const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
      expect(codes).to.deep.equal(Array(9).fill("VALIDATION_FAILED"));
    });

    it("accepts one of ten concurrent edits of the same version", async () => {
      const { id } = await buildProduct(server.em, world.shop);
      await eventsSince(server, world.shop);
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, index) =>
          world.send("updateProduct", { id, input: { title: `Title ${index}` }, expectedVersion: 1 }),
        ),
      );
      const won = answers.filter(({ errors }) => errors.length === 0);
      expect(won).to.have.length(1);
      const codes = answers.flatMap(({ errors }) => errors.map(({ extensions }) => extensions.code));
      expect(codes).to.deep.equal(Array(9).fill("VERSION_CONFLICT"));
      const product = await world.run("product", { id });
      expect(product).to.include({ version: 2, title: won[0]!.data.updateProduct.title });
      expect(await eventsSince(server, world.shop)).to.have.length(1);
    });

    const refused: [what: string, input: object, ...issues: string[]][] = [
      ["a title that is null", { title: null }, "title: invalid_type"],
      ["a status that is null", { status: null }, "status: invalid_value"],
      ["a handle that is null", { handle: null }, "handle: invalid_type"],
      ["options that are null", { optionNames: null }, "optionNames: invalid_type"],
      ["a handle with capitals", { handle: "Mug" }, "handle: invalid_value"],
      ["a handle with Greek capitals", { handle: "Ωmega" }, "handle: invalid_value"],
      ["a handle that begins with an accent", { handle: "\u0301mug" }, "handle: invalid_value"],
      ["a handle of signs", { handle: "mug🍵" }, "handle: invalid_value"],
      ["a handle with an invisible character", { handle: "mug\u200bs" }, "handle: invalid_value"],
      ["a handle with a space", { handle: "a b" }, "handle: invalid_value"],
      ["a handle that ends in a hyphen", { handle: "mug-" }, "handle: invalid_value"],
      ["a handle with a line break behind", { handle: "mug\n" }, "handle: invalid_value"],
      ["a long handle", { handle: "a".repeat(201) }, "handle: too_big"],
      ["more options than there are", { optionNames: ["a", "b"] }, "optionNames: invalid_value"],
      ["fewer options than there are", { optionNames: [] }, "optionNames: invalid_value"],
      ["NUL in the description", { description: NUL }, "description: invalid_text"],
    ];
    for (const [what, input, ...issues] of refused) {
      it(`refuses ${what}`, async () => {
        const product = await createShirt(world);
        await eventsSince(server, world.shop);
        expect(await world.refusal("updateProduct", { id: product.id, input })).to.deep.equal([
          "VALIDATION_FAILED",
          ...issues,
        ]);
        expect(await world.run("product", { id: product.id })).to.deep.equal(product);
        expect(await eventsSince(server, world.shop)).to.deep.equal([]);
      });
    }
  });

  describe("deleteProduct", () => {
    it("deletes the product and its variants, but not orders and stock history", async () => {
      const product = await buildProduct(server.em, world.shop, { title: "Mug", inventoryQuantity: 4 });
      const [variant] = product.variants;
      const items = [{ productId: product.id, variantId: variant!.id, title: "Mug" }];
      const order = await buildOrder(server.em, world.shop, { items });
      await eventsSince(server, world.shop);
      expect(await world.run("deleteProduct", { id: product.id, expectedVersion: 1 })).to.equal(true);
      expect(await world.run("product", { id: product.id })).to.equal(null);
      expect(await world.sql("select 1 from variants where shop_id = $1")).to.deep.equal([]);
      expect(await world.sql("select title from order_items where shop_id = $1")).to.deep.equal([{ title: "Mug" }]);
      expect(await world.sql("select id from orders where shop_id = $1")).to.deep.equal([{ id: order.id }]);
      expect(await world.sql("select delta from stock_changes where shop_id = $1")).to.deep.equal([{ delta: 4 }]);
      expect(await eventsSince(server, world.shop)).to.deep.equal([
        { topic: "product.deleted", data: { productId: product.id, handle: "mug", version: 2 } },
      ]);
    });

    it("returns false for a nonexistent product", async () => {
      const { id } = await buildProduct(server.em, world.shop);
      expect(await world.run("deleteProduct", { id })).to.equal(true);
      await eventsSince(server, world.shop);
      for (const other of [id, newId("prod"), "nonsense", NUL, ""]) {
        expect(await world.run("deleteProduct", { id: other, expectedVersion: 7 })).to.equal(false);
      }
      expect(await eventsSince(server, world.shop)).to.deep.equal([]);
    });

    it("refuses another version than the expected one", async () => {
      const { id } = await buildProduct(server.em, world.shop);
      expect(await world.refusal("deleteProduct", { id, expectedVersion: 2 })).to.deep.equal(["VERSION_CONFLICT"]);
      expect(await world.run("product", { id })).not.to.equal(null);
    });

    it("deletes once with concurrent requests", async () => {
      const { id } = await buildProduct(server.em, world.shop);
      await eventsSince(server, world.shop);
      const answers = await Promise.all(Array.from({ length: 5 }, () => world.run("deleteProduct", { id })));
      expect(answers.filter(Boolean)).to.have.length(1);
      expect(await eventsSince(server, world.shop)).to.have.length(1);
    });

    it("frees the handle", async () => {
      const { id, handle } = await buildProduct(server.em, world.shop);
      await world.run("deleteProduct", { id });
      expect(await buildProduct(server.em, world.shop)).to.include({ handle });
    });
  });
});
