import { expect } from "chai";
import { rewriteOldWords } from "../../src/jobs/rewrite-old-words.ts";
import { buildCustomer, importProduct } from "../support/factories.ts";
import { useWorld } from "../support/world.ts";

describe("Records that release 1.1.0 wrote", () => {
  const world = useWorld();
  const { server, shop } = world;

  it("are found by parts of Korean words, and are otherwise unchanged", async () => {
    const product = await importProduct(server.em, shop, {
      title: "아이스커피",
      handle: "아이스커피",
      variants: [{ sku: "MUG-2" }],
    });
    await buildCustomer(server.em, shop, { firstName: "현아", lastName: "남궁민수" });
    const words = (...all: string[]) => `{${all.map((word) => shop.id.slice(-6) + word).join(",")}}`;
    await world.sql(
      "update products set search_words = array_to_tsvector($2) where shop_id = $1",
      words("아이스커피", "mug", "mug2", "2"),
    );
    await world.sql(
      "update customers set search_words = array_to_tsvector($2) where shop_id = $1",
      words("현아", "남궁민수", "남궁민수현아"),
    );
    const found = async () => {
      const answers = [
        await world.run("products", { search: "커피" }),
        await world.run("customers", { search: "민수" }),
      ];
      return answers.map(({ total }) => total);
    };
    const rows = () =>
      world.sql(`select id, version, updated_at from products where shop_id = $1
        union all select id, version, updated_at from customers where shop_id = $1 order by id`);
    const before = await rows();
    expect(await found()).to.deep.equal([0, 0]);
    await rewriteOldWords(server.em, new AbortController().signal);
    expect(await found()).to.deep.equal([1, 1]);
    expect(await rows()).to.deep.equal(before);
    expect((await world.run("products", { search: "mug2" })).items[0].id).to.equal(product.id);
  });
});
