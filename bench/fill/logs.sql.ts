import type pg from "pg";
import type { FullShop } from "./shop.ts";

// All within the thirty days for which logs are kept. One in 2,000 deliveries failed, one in 100 waits for a retry,
// and one in 5,000 has a rare topic.
const made = `
  with made as (
    select $2::bigint + place as number, place, now() - ($5::bigint - place) * (interval '29 days' / $5::bigint) as at,
      $6::text[] as endpoints, $7::text as key_id, ($6::text[])[1 + place % 5] as endpoint_id,
      case when place % 5000 = 4 then 'customer.updated'
        else ('{product.created,product.updated,order.created,order.paid,customer.created}'::text[])[1 + place % 5]
      end as topic,
      case when place % 2000 = 1 then 'FAILED' when place % 100 = 2 then 'PENDING' end as status
    from generate_series($3::bigint, $4::bigint) place
  )`;

const statements = [
  `insert into events (shop_id, id, topic, body, created_at)
  select $1, pg_temp.id_of('evt', number), topic, json_build_object('id', pg_temp.id_of('evt', number), 'topic', topic,
    'shopId', $1::text, 'createdAt', at, 'data', json_build_object('id', pg_temp.id_of('prod', number), 'version', 1)), at
  from made`,
  `insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
  select $1, pg_temp.id_of('whd', number), pg_temp.id_of('evt', number), endpoint_id, topic, at from made`,
  `insert into outstanding_deliveries (shop_id, id, event_id, endpoint_id, topic, created_at, status, attempts,
    response_status, error_class, error, attempted_at, next_attempt_at)
  select $1, pg_temp.id_of('whd', number), pg_temp.id_of('evt', number), endpoint_id, topic, at, status, 1,
    case when place % 1000 = 1 then null else 503 end, case when place % 1000 = 1 then 'TIMEOUT' else 'HTTP_STATUS' end,
    'Responded with 503', at, case when status = 'PENDING' then now() + interval '1 day' end
  from made where status is not null`,
  `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class,
    error, total_ms)
  select $1, pg_temp.id_of('att', number), pg_temp.id_of('whd', number), 1, false, at,
    case when status is null then 204 else 503 end, case when status is not null then 'HTTP_STATUS' end,
    case when status is not null then 'Responded with 503' end, 20
  from made`,
  `insert into api_requests (shop_id, id, request_id, api_key_id, method, route, path, status, duration_ms, created_at)
  select $1, pg_temp.id_of('req', number), md5(number::text), key_id, 'GET',
    case when place % 2 = 0 then '/products' else '/products/{productId}' end,
    case when place % 2 = 0 then '/products' else '/products/' || pg_temp.id_of('prod', number) end,
    case when place % 10000 = 1 then 500 when place % 100 = 1 then 404 else 200 end, 1.5, at
  from made`,
  `insert into audit_entries (shop_id, id, action, actor_kind, actor_id, actor_name, target_id, target_name, details,
    created_at)
  select $1, pg_temp.id_of('aud', number),
    case when place % 10000 = 1 then 'API_KEY_CREATED'
      else ('{ORDER_FULFILLED,PAYMENT_RECORDED,PRODUCT_UPDATED}'::text[])[1 + place % 3] end,
    'STAFF', pg_temp.id_of('stf', place % 5), 'staff' || place % 5 || '@example.com', pg_temp.id_of('ord', number),
    place + 1, '{"quantity":"1"}', at
  from made`,
];

/** Inserts events with a delivery each, requests and entries of the audit log in a range of places. */
export async function fillLog(
  client: pg.Client,
  { id, first, count, endpointIds, keyId }: FullShop,
  { from, to }: { from: number; to: number },
): Promise<void> {
  const values = [id, first, from, to, count, endpointIds, keyId];
  for (const statement of statements) await client.query(`${made} ${statement}`, values);
}
