import { expect } from "chai";
import { findUnboundTables } from "./unbound-tables.ts";

const shop = ["shop_id", "id"];
const catalog = new Map([
  ["shops", ["id", "name"]],
  ["products", [...shop, "title"]],
  ["variants", [...shop, "product_id", "price"]],
  ["orders", [...shop, "customer_id"]],
  ["counts", ["shop_id", "count"]],
  ["staff", ["id", "email"]],
  ["api_keys", [...shop, "digest"]],
]);
const key = { table: "api_keys", column: "digest", because: "it is unique" };

/** Statements that are limited to one shop. */
const bound = [
  "select title from products where shop_id = $1",
  "declare batches cursor for select title from products where shop_id = $1",
  "select title from products where $1 = shop_id and (title = $2 or title = $3)",
  'select title from products p where p.shop_id = $1::text collate "POSIX" limit 1',
  "select title from public.products where products.shop_id = 'shop_1'",
  "select title from products where shop_id in ($1)",
  "select title from products where (shop_id, id) = ($1, $2)",
  "select title from products where (shop_id, id) in (($1, $2))",
  "select title from products where (shop_id, id) in (($1, $2), ($1, $3))",
  "select title from products where (shop_id, id) in (('shop_1', $2), ('shop_1', $3))",
  "select title from products where (shop_id, id) in (select $1, unnest($2::text[]))",
  "select title from products where (shop_id, id) = (select shop_id, product_id from variants where shop_id = $1 limit 1)",
  "select name from shops where id = $1",
  "select email from staff",
  "select title, price from products join variants using (shop_id) where shop_id = $1",
  "select title, price from products p join variants v on v.shop_id = p.shop_id where v.shop_id = $1",
  "select title, price from products p left join variants v on v.shop_id = p.shop_id where p.shop_id = $1",
  "select title, price from variants v right join products p on v.shop_id = p.shop_id where p.shop_id = $1",
  "select title, price from products p, variants v where p.shop_id = $1 and v.shop_id = p.shop_id",
  "select title from products join shops on shops.id = $1 where shop_id = $1",
  "select (select max(price) from variants v where v.shop_id = $1) from products p where shop_id = $1",
  "select title from products p where shop_id = $1 and exists (select from variants v where v.shop_id = $1)",
  "select title from products p where shop_id = $1 and id = any(array(select product_id from variants where shop_id = $1))",
  "select title, price from products p left join lateral (select price from variants v where v.shop_id = $1) v on true where p.shop_id = $1",
  "select title from products where shop_id = $1 union all select price from variants where shop_id = $1",
  "with p as (select * from products where shop_id = $1) select price from p join variants v on v.shop_id = p.shop_id",
  "with p (shop, key) as (select * from products where shop_id = $1) select price from p join variants v on v.shop_id = shop",
  "select price from (select shop_id from products where shop_id = $1 union select $1) p join variants v on v.shop_id = p.shop_id",
  "select price from (values ($1, $2)) p (shop, id) join variants v on v.shop_id = shop",
  "select price from unnest($1::text[]) as asked (shop) join variants v on v.shop_id = shop where shop = $2",
  "select price from unnest($1::text[]) as asked (id) join variants v on v.shop_id = $2 and v.id = asked.id",
  "select title from (select * from (select shop_id as shop, title from products) inner_one) p where shop = $1",
  "select p.shop_id from products p where shop_id = $1 for update of p",
  "select name from shops where id = (select shop_id from products where shop_id = $1 limit 1)",
  "insert into products (id, shop_id) values ($1, $2), ($3, $4)",
  "insert into products values ($1, $2, $3)",
  "insert into variants select products.*, 1 from products where shop_id = $1",
  "insert into counts (shop_id, count) select $1, count from unnest($2::int[]) as count",
  "insert into products (shop_id, id) values ($1, $2) on conflict (shop_id, id) do update set title = excluded.title",
  "insert into products (shop_id, id) values ($1, $2) on conflict do nothing returning *",
  "with made as (insert into products (shop_id, id) values ($1, $2) returning shop_id) insert into counts (shop_id) select shop_id from made",
  "update products set title = $1 where shop_id = $2",
  "update products p set title = v.price from variants v where v.shop_id = p.shop_id and p.shop_id = $1",
  "with changed as (update products set title = $2 where shop_id = $1 returning *) select from changed join variants v on v.shop_id = changed.shop_id",
  "delete from products where shop_id = $1 and id = $2",
  "delete from variants v using products p where p.shop_id = $1 and (v.shop_id, v.product_id) = (p.shop_id, p.id)",
  "select from graphile_worker.products",
  "begin; set local lock_timeout = 1; create table products ()",
];

/** Statements of one shop in which a cluster finds no node for a subquery. */
const unroutable: [string, string[]][] = [
  [
    "select (select max(price) from variants v where v.shop_id = p.shop_id) from products p where shop_id = $1",
    ["variants"],
  ],
  [
    "select title from products p where shop_id = $1 and exists (select from variants v where v.shop_id = p.shop_id)",
    ["variants"],
  ],
  [
    "select title, price from products p left join lateral (select price from variants v where v.shop_id = p.shop_id) v on true where p.shop_id = $1",
    ["variants"],
  ],
];

/** Statements that are not, and their unbound tables. */
const unbound: [string, string[]][] = [
  ["select title from products", ["products"]],
  ["select title from products where id = $1", ["products"]],
  ["declare batches cursor for select title from products where id = $1", ["products"]],
  ["select name from shops", ["shops"]],
  ["select title from products where shop_id = $1 or id = $2", ["products"]],
  ["select title from products where not shop_id = $1", ["products"]],
  ["select title from products where shop_id <> $1", ["products"]],
  ["select title from products where shop_id >= $1", ["products"]],
  ["select title from products where shop_id = any($1)", ["products"]],
  ["select title from products where shop_id in ($1, $2)", ["products"]],
  ["select title from products where (shop_id, id) in (($1, $2), ($3, $4))", ["products"]],
  ["select title from products where (shop_id, id) in (($1, $2), ($1, $3), ($4, $5))", ["products"]],
  ["select title from products where (shop_id, id) in (('shop_1', $2), ('shop_2', $2))", ["products"]],
  ["select title from products where (shop_id, id) in (select unnest($1::text[]), $2)", ["products"]],
  ["select title from products where shop_id not in (select $1)", ["products"]],
  ["select title from products where shop_id > any (select $1)", ["products"]],
  ["select title from products where shop_id = coalesce($1, shop_id)", ["products"]],
  ["select title from products where shop_id = shop_id", ["products"]],
  ["select title from products where shop_id = (select shop_id from variants where id = $1)", ["products", "variants"]],
  ["select title from unnest($1::text[]) as asked (shop_id) join products using (shop_id)", ["products"]],
  ["select title from (values ($1), ($2)) asked (shop_id) join products using (shop_id)", ["products"]],
  ["select title from products p join variants v on v.product_id = p.id where p.shop_id = $1", ["variants"]],
  ["select title from products p left join variants v on v.product_id = p.id where p.shop_id = $1", ["variants"]],
  ["select title from products p left join variants v on p.shop_id = $1 and v.shop_id = $1", ["products"]],
  ["select title from products p left join variants v on v.shop_id = p.shop_id and v.shop_id = $1", ["products"]],
  ["select title from products p full join variants v using (shop_id) where p.shop_id = $1", ["variants"]],
  ["select title from products p natural join variants v where p.shop_id = $1", ["variants"]],
  ["select title from products p, variants v where p.shop_id = v.shop_id", ["products", "variants"]],
  ["select (select max(price) from variants v) from products where shop_id = $1", ["variants"]],
  ["select (select price from variants v where v.product_id = p.id) from products p where shop_id = $1", ["variants"]],
  // The variant's shop is compared with itself, not with the product's.
  ["select (select price from variants v where shop_id = v.shop_id) from products p where shop_id = $1", ["variants"]],
  ["select title from products p where not exists (select where p.shop_id = $1)", ["products"]],
  ["select title from products p left join lateral (select where p.shop_id = $1) on true", ["products"]],
  [
    "select title from products p cross join lateral (select price from variants where product_id = p.id) v where shop_id = $1",
    ["variants"],
  ],
  ["select title from products where shop_id = $1 union all select price from variants", ["variants"]],
  ["select price from (select shop_id from products where shop_id = $1 union select $1 from products) p", ["products"]],
  [
    "select price from (select $1 as shop union select unnest($2::text[])) p join variants v on v.shop_id = shop",
    ["variants"],
  ],
  // The limit chooses among all shops' rows before the filter.
  ["select title from (select * from products limit 10) p where shop_id = $1", ["products"]],
  ["select title from (select *, count(*) over () from products) p where shop_id = $1", ["products"]],
  ["select title from (select * from products for update) p where shop_id = $1", ["products"]],
  ["select shop from (select max(shop_id) as shop from products) p where shop = $1", ["products"]],
  ["select title from products p left join lateral (select p.shop_id as shop) s on shop = $1", ["products"]],
  ["select title from products p left join lateral (values (p.shop_id)) s (shop) on shop = $1", ["products"]],
  [
    "select title from unnest($1::text[]) as asked (shop_id) join products using (shop_id) where asked.shop_id is not null",
    ["products"],
  ],
  ["select title from products where shop_id::char(6) = $1", ["products"]],
  ["create table copies as select * from products", ["products"]],
  ["with p as (select * from products) select title from p where shop_id = $1", ["products"]],
  ["with p as (select * from products where shop_id = $1) select title from products, p", ["products"]],
  [
    "with p as (select shop_id from products where shop_id = $1) select from counts c join p on true where c.count = 1",
    ["counts"],
  ],
  ["with p as (delete from products returning *) select from p where shop_id = $1", ["products"]],
  ["select email from staff order by (select count(*) from orders)", ["orders"]],
  ["select email from staff limit (select count(*) from orders)", ["orders"]],
  ["select email from staff cross join generate_series(1, (select count from counts limit 1))", ["counts"]],
  ["insert into products (id) values ($1)", ["products"]],
  ["insert into products (shop_id, id) values ($1, $2), (default, $3)", ["products"]],
  ["insert into products (shop_id, id) select shop_id, $1 from variants", ["products", "variants"]],
  ["insert into counts (shop_id, count) select shop, 1 from unnest($1::text[]) as shop", ["counts"]],
  ["insert into products (shop_id, id) values ($1, $2) on conflict (id) do update set title = $3", ["products"]],
  ["update products set title = $1 where id = $2", ["products"]],
  [
    "update products set shop_id = variants.title from variants where products.shop_id = $1 and variants.shop_id = $1",
    ["products"],
  ],
  ["update products set title = (select price from variants limit 1) where shop_id = $1", ["variants"]],
  ["delete from products", ["products"]],
  ["delete from products p using variants v where v.shop_id = $1 and p.id = v.product_id", ["products"]],
  ["merge into products using (select $1 as shop) s on shop_id = shop when matched then delete", ["products"]],
  ["copy products to stdout", ["products"]],
  ["truncate products", ["products"]],
  ["select 1; delete from products", ["products"]],
  ["do $$ begin delete from products; end $$", ["what a block of code names"]],
];

/** Statements that the key limits to one shop, and the unbound tables without it. */
const boundByKey: [string, string[]][] = [
  ["select from api_keys where digest = $1", ["api_keys"]],
  ["select from api_keys key join shops on shops.id = key.shop_id where digest = $1", ["api_keys", "shops"]],
  ["select from products p left join api_keys k on k.digest = $2 where p.shop_id = $1", ["api_keys"]],
  ["update api_keys set id = $2 where digest = $1 and (id = $3 or id = $4)", ["api_keys"]],
  ["delete from api_keys where digest in ($1)", ["api_keys"]],
];

/** Statements that the key does not limit to one shop. */
const unboundByKey: [string, string[]][] = [
  ["select from api_keys", ["api_keys"]],
  ["select from api_keys where digest = $1 or true", ["api_keys"]],
  ["select from api_keys key join shops on shops.id = key.shop_id where digest = $1 or true", ["api_keys", "shops"]],
  ["select from api_keys where not digest = $1", ["api_keys"]],
  ["select from api_keys where digest <> $1", ["api_keys"]],
  ["select from api_keys where digest = any($1)", ["api_keys"]],
  ["select from api_keys where digest in ($1, $2)", ["api_keys"]],
  ["select from api_keys where digest = digest", ["api_keys"]],
  ["select from api_keys where id = $1", ["api_keys"]],
  ["select from api_keys left join shops on digest = $1", ["api_keys", "shops"]],
  ["select from api_keys key join shops on shops.name = key.id where digest = $1", ["shops"]],
  ["select from api_keys one, api_keys other where one.digest = $1", ["api_keys"]],
  ["select from (select $1 as digest) asked, api_keys where asked.digest = $1", ["api_keys"]],
];

describe("Reading statements", () => {
  const readings: [what: string, statements: [text: string, tables: string[]][], by?: typeof key][] = [
    ["one shop", bound.map((text) => [text, []])],
    ["a subquery without the shop", unroutable],
    ["tables without a filter", unbound],
    ["tables without a key", unboundByKey, key],
  ];
  for (const [what, statements, by] of readings) {
    for (const [text, tables] of statements) {
      it(`finds ${what} in ${text}`, () => {
        expect(findUnboundTables(text, catalog, by)).to.deep.equal(tables);
      });
    }
  }

  for (const [text, tables] of boundByKey) {
    it(`finds one shop by its key in ${text}`, () => {
      expect(findUnboundTables(text, catalog)).to.deep.equal(tables);
      expect(findUnboundTables(text, catalog, key)).to.deep.equal([]);
    });
  }
});
