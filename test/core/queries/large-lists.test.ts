import { expect } from "chai";
import { call } from "../../support/client.ts";
import { buildKey, buildProduct } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

describe("A large list", () => {
  const { server, shop, sql } = useWorld();
  let key: string;

  beforeEach(async () => {
    key = await buildKey(server.em, shop);
  });

  /** Adds products with a word, each a second newer than the one before. */
  async function add(count: number, word: string, since: string): Promise<void> {
    await sql(
      `insert into products (shop_id, id, title, handle, status, search_words, created_at, updated_at)
      select $1::text, 'prod_' || left(md5($3 || number), 26), $3 || number, $3 || number, 'ACTIVE',
        array_to_tsvector(array[right($1, 6) || $3, right($1, 6) || $3 || number]), $4::timestamptz + number * interval '1 second', now()
      from generate_series(1, $2::int) number`,
      count,
      word,
      since,
    );
  }

  async function list(parameters: string): Promise<{ titles: string[]; total: number }> {
    const { status, json, text } = await call(server, "GET", `/${shop.id}/products?${parameters}`, { key });
    expect(status, text).to.equal(200);
    return { titles: json.products.map(({ title }: { title: string }) => title), total: json.pagination.total };
  }

  const titlesFrom = (word: string, first: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${word}${first - index}`);

  it("has every page by number, to the last and past it", async () => {
    await add(2_530, "mug", "2026-01-01");
    for (const [page, limit, count] of [
      [1, 250, 250],
      [11, 250, 30],
      [12, 250, 0],
      [2_530, 1, 1],
    ] as const) {
      const first = 2_530 - (page - 1) * limit;
      const found = await list(`page=${page}&limit=${limit}`);
      expect(found, `page ${page}`).to.deep.equal({ titles: titlesFrom("mug", first, count), total: 2_530 });
    }
  });

  it("is searched for a word of more than ten thousand products", async () => {
    await add(10_300, "mug", "2026-01-01");
    const newest = titlesFrom("mug", 10_300, 2);
    expect(await list("search=mug&limit=2")).to.deep.equal({ titles: newest, total: 10_300 });
    // The total may be old, the products may not.
    await buildProduct(server.em, shop, { title: "Mug of today" });
    await sql("delete from products where shop_id = $1 and title = 'mug10300'");
    const { titles, total } = await list("search=mug&limit=2");
    expect(titles).to.deep.equal(["Mug of today", "mug10299"]);
    expect(total).to.be.oneOf([10_300, 10_299]);
    expect(await list("search=mug10299")).to.deep.equal({ titles: ["mug10299"], total: 1 });
    // Beyond the newest ten thousand.
    expect((await list("search=mug&page=10300&limit=1")).titles).to.deep.equal(["mug1"]);
    await add(10_100, "bowl", "2027-01-01");
    expect((await list("search=mug&limit=2")).titles).to.deep.equal(["Mug of today", "mug10299"]);
    expect((await list("search=mug+bowl")).titles).to.deep.equal([]);
  });
});
