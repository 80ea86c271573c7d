import { expect } from "chai";
import { findUnroutable } from "./unroutable.ts";

const shop = ["shop_id", "id"];
const catalog = new Map([
  ["shops", ["id", "name"]],
  ["products", [...shop, "title"]],
  ["memberships", ["shop_id", "staff_id"]],
  ["sessions", ["id"]],
]);

const routable = [
  "insert into products (shop_id, id) values ($1, $2) on conflict (shop_id, id) do update set title = excluded.title",
  "insert into products (shop_id, id, title) select $1, id, now()::text from unnest($2::text[]) as id returning id",
  "with made as (insert into products (shop_id, id) values ($1, $2) returning id) select (select count(*) from made)",
  "insert into memberships (shop_id, staff_id) values ($1, (select id from sessions limit 1)) returning (select 1)",
  "insert into sessions (id) values ($1) on conflict (id) do update set id = now()::text",
  "with asked as (select $2 as id) insert into memberships (shop_id, staff_id) select $1, id from asked",
  "update products set title = now()::text where shop_id = $1",
  "select graphile_worker.add_jobs($1)",
  "with made as (insert into products (shop_id, id) values ($1, $2)) select graphile_worker.add_jobs($3)",
  "select name, graphile_worker.add_job('x') from shops where id = $1",
];

const unroutable: [string, string[]][] = [
  ["insert into products (shop_id, id) values ($1, (select max(id) from shops))", ["a subquery in VALUES"]],
  ["insert into products (shop_id, id) values ($1, $2) returning array(select 1)", ["a subquery in RETURNING"]],
  [
    "with made as (insert into products (shop_id, id) values ($1, $2) returning (select 1)) select from made",
    ["a subquery in RETURNING"],
  ],
  [
    "insert into products (shop_id, id) values ($1, $2) on conflict (shop_id, id) do update set title = now()::text",
    ["a function that is not immutable in ON CONFLICT"],
  ],
  [
    "insert into products (shop_id, id) values ($1, $2) on conflict (shop_id, id) do update set title = $3 where current_timestamp > $4",
    ["a function that is not immutable in ON CONFLICT"],
  ],
  [
    "with asked as (select $2 as id) insert into products (shop_id, id) select $1, id from asked",
    ["an INSERT from a WITH query"],
  ],
  [
    "with made as (insert into products (shop_id, id) values ($1, $2) returning id), copied as (insert into products (shop_id, id) select $1, made.id from made, unnest($3::text[])) select from made",
    ["an INSERT from a WITH query"],
  ],
  ["select graphile_worker.add_job(title) from products where shop_id = $1", ["a function of graphile_worker"]],
  [
    "with asked as (select graphile_worker.add_job(title) from products where shop_id = $1) select from asked",
    ["a function of graphile_worker"],
  ],
];

describe("Reading statements for a cluster", () => {
  for (const text of routable) {
    it(`finds a node for ${text}`, () => {
      expect(findUnroutable(text, catalog)).to.deep.equal([]);
    });
  }

  for (const [text, parts] of unroutable) {
    it(`finds ${parts.join(", ")} in ${text}`, () => {
      expect(findUnroutable(text, catalog)).to.deep.equal(parts);
    });
  }
});
