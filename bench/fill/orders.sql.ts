import type pg from "pg";
import type { BenchShop } from "./shop.ts";

const made = `
  with made as (
    select $2::bigint + place as number, place, now() - ($5::bigint - place) * interval '1 minute' as at
    from generate_series($3::bigint, $4::bigint) place
  )`;

const statements = [
  `insert into orders (shop_id, id, order_number, receipt_number, status, payment_status, fulfillment_status, channel,
    currency, customer_id, subtotal_amount, discount_amount, tax_amount, rounding_amount, total_amount, refunded_amount,
    created_at, updated_at)
  select $1, pg_temp.id_of('ord', number), place + 1, 'R-' || lpad((place + 1)::text, 7, '0'),
    case when place % 100 = 0 then 'CANCELLED' else 'CONFIRMED' end,
    case when place % 50 = 1 then 'UNPAID' else 'PAID' end,
    case when place % 100 = 2 then 'UNFULFILLED' else 'FULFILLED' end,
    case when place % 4 = 0 then 'STOREFRONT' else 'POS' end, 'EUR',
    -- Another one for each order.
    pg_temp.id_of('cus', $2 + place * 7919 % $5), 20 + place % 90, 0, 0, 0, 20 + place % 90, 0, at, at
  from made`,
  `insert into order_items (shop_id, id, order_id, position, product_id, variant_id, title, variant_title, sku, quantity,
    unit_price, discount_amount, tax_amount, total_amount)
  select $1, pg_temp.id_of('itm', number * 2 + position - 1), pg_temp.id_of('ord', number), position,
    pg_temp.id_of('prod', number), pg_temp.id_of('var', number * 2), 'Stoneware Mug', 'Small', 'SKU-' || number || '-S', 1,
    10 + place % 90 * 0.5, 0, 0, 10 + place % 90 * 0.5
  from made cross join generate_series(1, 2) position`,
  `insert into payments (shop_id, id, order_id, method, status, amount, refunded_amount, rounding_amount,
    refunded_rounding_amount, currency, reference, processed_at, created_at)
  select $1, pg_temp.id_of('pay', number), pg_temp.id_of('ord', number), 'CARD', 'CAPTURED', 20 + place % 90, 0, 0, 0,
    'EUR', 'auth-' || number, at, at
  from made`,
];

/** Inserts the orders in a range of places, with two lines and a payment each. Their customers exist. */
export async function fillOrders(
  client: pg.Client,
  { id, first, count }: BenchShop,
  { from, to }: { from: number; to: number },
): Promise<void> {
  for (const statement of statements) await client.query(`${made} ${statement}`, [id, first, from, to, count]);
}
