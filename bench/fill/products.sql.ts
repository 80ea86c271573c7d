import type pg from "pg";
import type { BenchShop } from "./shop.ts";
import { slugOf } from "../../src/core/products/handle.ts";
import { productSearchWords } from "../../src/core/products/search-words.ts";
import { titleOf, variantsOf } from "./names.ts";

// One product a minute, until now.
const products = `
  with made as (
    select $2::bigint + place as number, place, now() - ($4::bigint - place) * interval '1 minute' as at, title, search
    from (
      select title, search, $3::bigint + ordinality - 1 as place
      from unnest($5::text[], $6::text[]) with ordinality as given (title, search, ordinality)
    ) given
  ), variant as (
    select *, 'SKU-' || number || '-' || left(size, 1) as sku,
      '4' || lpad((number * 2 + position - 1)::text, 12, '0') as barcode
    from made cross join (values (1, 'Small'), (2, 'Large')) sizes (position, size)
  ), product as (
    insert into products (shop_id, id, title, handle, description, status, option_names, search_words, created_at,
      updated_at)
    select $1, pg_temp.id_of('prod', number), title, replace(lower(title), ' ', '-'),
      'Holds 350 ml. Dishwasher safe. Thrown and glazed by hand, so that no two are alike.', 'ACTIVE', '{Size}',
      search::tsvector, at, at
    from made
  )
  insert into variants (shop_id, id, product_id, position, title, option_values, sku, barcode, price,
    inventory_quantity, created_at, updated_at)
  select $1, pg_temp.id_of('var', number * 2 + position - 1), pg_temp.id_of('prod', number), position, size,
    array[size], sku, barcode, 10 + place % 90 + position * 0.5, place % 250, at, at
  from variant`;

const stock = `
  insert into stock_changes (shop_id, id, product_id, variant_id, reason, delta, quantity_after, created_at)
  select $1, pg_temp.id_of('stk', number), pg_temp.id_of('prod', number), pg_temp.id_of('var', number * 2), 'RECEIVED',
    10, 20, now() - ($5::bigint - place) * interval '1 minute'
  from (select place, $2::bigint + place as number from generate_series($3::bigint, $4::bigint) place) made`;

/** Inserts the products in a range of places, with two variants and a change of stock each. */
export async function fillProducts(
  client: pg.Client,
  { id, first, count }: BenchShop,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const titles = Array.from({ length: to - from + 1 }, (_, index) => titleOf(from + index, count));
  const searches = titles.map((title, index) =>
    productSearchWords({ shopId: id, title, handle: slugOf(title) }, variantsOf(first + from + index)),
  );
  await client.query(products, [id, first, from, count, titles, searches]);
  await client.query(stock, [id, first, from, to, count]);
}
