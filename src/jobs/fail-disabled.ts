import type { Kysely } from "kysely";
import { runStatement, type Database } from "../core/database.ts";
import { ENDPOINT_DISABLED_ERROR, ErrorClass } from "../core/webhooks/error-class.ts";
import type { EndpointKey } from "./turns.ts";

/** Deliveries that one statement takes, so that none of them takes long. */
const BATCH = 1_000;

const statement = `
  with asked as (
    select * from unnest($1::text[], $2::text[]) as asked (shop, endpoint)
  ), known as (
    select shop_id, id from asked join webhook_endpoints on shop_id = shop and id = endpoint
    where disabled_at is not null
    -- Nobody enables it meanwhile: what is replayed then stays.
    for share of webhook_endpoints skip locked
  ), disabled as (
    select * from known
    union all
    select shop, endpoint from asked
    where not exists (select from webhook_endpoints where shop_id = shop and id = endpoint)
  ), batch as (
    select delivery.shop_id, delivery.id from disabled cross join lateral (
      select shop_id, id from outstanding_deliveries
      where shop_id = disabled.shop_id and endpoint_id = disabled.id and status = 'PENDING'
        and next_attempt_at is not null and not is_test
      order by next_attempt_at limit ${BATCH}
      for update skip locked
    ) delivery limit ${BATCH}
  ), failed as (
    update outstanding_deliveries set status = 'FAILED', next_attempt_at = null,
      error_class = '${ErrorClass.ENDPOINT_DISABLED}', error = '${ENDPOINT_DISABLED_ERROR}'
    -- By index, for there may be much more that is outstanding than PostgreSQL has noticed.
    where id = any(array(select id from batch)) and (shop_id, id) in (select shop_id, id from batch)
    returning 1
  )
  select count(*)::int as count from failed`;

/**
 * What these endpoints were still to be sent, which are disabled or deleted, has failed, a batch of it. Answers whether
 * there may be more.
 */
export async function failDisabled(database: Kysely<Database>, endpoints: readonly EndpointKey[]): Promise<boolean> {
  if (endpoints.length === 0) return false;
  const [failed] = await runStatement<{ count: number }>(database, statement, [
    endpoints.map(({ shopId }) => shopId),
    endpoints.map(({ endpointId }) => endpointId),
  ]);
  return failed!.count === BATCH;
}
