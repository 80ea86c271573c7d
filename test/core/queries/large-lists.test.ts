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

  it("has every changed record, few or many, whenever they were created", async () => {
    await add(1_500, "mug", "2026-01-01");
    const change = (condition: string) =>
      sql(`update products set updated_at = '2026-06-01' where shop_id = $1 and ${condition}`);
    await sql("update products set updated_at = '2026-05-01' where shop_id = $1");
    const since = "updatedSince=2026-05-02T00:00:00%2B02:00";
    await change("title in ('mug7', 'mug1300', 'mug1499')");
    expect(await list(since)).to.deep.equal({ titles: ["mug1499", "mug1300", "mug7"], total: 3 });
    expect(await list(`${since}&limit=1&page=2`)).to.deep.equal({ titles: ["mug1300"], total: 3 });
    expect(await list(`${since}&search=mug1300`)).to.deep.equal({ titles: ["mug1300"], total: 1 });
    expect(await list(`${since}&status=DRAFT`)).to.deep.equal({ titles: [], total: 0 });
    for (const many of [1_000, 1_001, 1_200]) {
      await sql("update products set updated_at = '2026-05-01' where shop_id = $1");
      await change(`created_at <= '2026-01-01'::timestamptz + ${many} * interval '1 second'`);
      expect(await list(`${since}&limit=2`)).to.deep.equal({ titles: titlesFrom("mug", many, 2), total: many });
      expect(await list(`${since}&limit=250&page=4`)).to.deep.equal({
        titles: titlesFrom("mug", many - 750, 250),
        total: many,
      });
      expect(await list(`${since}&page=99`)).to.deep.equal({ titles: [], total: many });
      expect(await list(`${since}&status=ARCHIVED`)).to.deep.equal({ titles: [], total: 0 });
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
