import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { hasApiAccess } from "../core/shops/current-shop.ts";
import { ErrorClass, missedError } from "../core/webhooks/error-class.ts";
import type { EndpointKey } from "./turns.ts";

/** Deliveries that one statement takes, so that none of them takes long. */
const BATCH = 1_000;

const statement = `
  with asked as (
    select * from unnest($1::text[], $2::text[]) as asked (shop, endpoint)
  ), known as (
    select shop_id, webhook_endpoints.id, case when disabled_at is null then '${ErrorClass.PLAN}'
      else '${ErrorClass.ENDPOINT_DISABLED}' end as error_class
    from asked join webhook_endpoints on shop_id = shop and webhook_endpoints.id = endpoint
    join shops on shops.id = shop
    where disabled_at is not null or not ${hasApiAccess}
    -- Nobody enables it or changes the plan meanwhile: what is replayed then stays.
    for share of webhook_endpoints, shops skip locked
  ), missed as (
    select * from known
    union all
    select shop, endpoint, '${ErrorClass.ENDPOINT_DISABLED}' from asked
    where not exists (select from webhook_endpoints where shop_id = shop and id = endpoint)
  ), batch as (
    select delivery.shop_id, delivery.id, missed.error_class from missed cross join lateral (
      select shop_id, id from outstanding_deliveries
      where shop_id = missed.shop_id and endpoint_id = missed.id and status = 'PENDING'
        and next_attempt_at is not null and not is_test
      order by next_attempt_at limit ${BATCH}
      for update skip locked
    ) delivery limit ${BATCH}
  ), failed as (
    update outstanding_deliveries outstanding set status = 'FAILED', next_attempt_at = null,
      error_class = batch.error_class, error = ${missedError("batch.error_class")}
    from batch
    -- By index, for there may be much more that is outstanding than PostgreSQL has noticed.
    where outstanding.id = any(array(select id from batch))
      and outstanding.shop_id = batch.shop_id and outstanding.id = batch.id
    returning 1
  )
  select count(*)::int as count from failed`;

/**
 * Fails a batch of what these endpoints will not be sent: they are disabled or deleted, or their shop's plan does not
 * include webhooks. Answers whether there may be more.
 */
export async function failMissed(database: Kysely<Database>, endpoints: readonly EndpointKey[]): Promise<boolean> {
  if (endpoints.length === 0) return false;
  const [failed] = await runStatement<{ count: number }>(database, statement, [
    endpoints.map(({ shopId }) => shopId),
    endpoints.map(({ endpointId }) => endpointId),
  ]);
  return failed!.count === BATCH;
}
