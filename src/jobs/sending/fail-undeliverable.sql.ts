// Text, since one statement finds why an endpoint receives nothing, and fails a batch of its deliveries, by index.
import type { Kysely } from "kysely";
import { query } from "../../core/queries/database.ts";
import type { Database } from "../../core/model/tables.ts";
import { hasApiAccess } from "../../core/model/shops/current-shop.ts";
import { ErrorClass, undeliverableError } from "../../core/model/webhooks/error-class.ts";
import type { SendJob } from "../../core/webhooks/jobs/send-jobs.sql.ts";

/** Deliveries per statement, which keeps statements short. */
const BATCH = 1_000;

const fail = {
  name: "fail undeliverable deliveries",
  text: `
  with known as (
    select case when disabled_at is null then '${ErrorClass.PLAN}' else '${ErrorClass.ENDPOINT_DISABLED}' end as error_class
    from webhook_endpoints endpoint join shops on shops.id = $1
    where endpoint.shop_id = $1 and endpoint.id = $2 and (disabled_at is not null or not ${hasApiAccess})
    -- Locked, so that nobody enables the endpoint or changes the plan before the commit: later replays must not fail.
    for share of endpoint, shops skip locked
  ), reason as (
    select error_class, ${undeliverableError("error_class")} as error, false as is_deleted from known
    union all
    select '${ErrorClass.ENDPOINT_DISABLED}', 'The endpoint was deleted', true
    where not exists (select from webhook_endpoints where shop_id = $1 and id = $2)
  ), test as (
    -- Test events are sent to disabled endpoints too, but not to deleted ones.
    select delivery.id, error_class, error from reason cross join lateral (
      select id from outstanding_deliveries
      where shop_id = $1 and endpoint_id = $2 and status = 'PENDING' and is_test
      for update skip locked
    ) delivery where is_deleted
  ), other as (
    select delivery.id, error_class, error from reason cross join lateral (
      select id from outstanding_deliveries
      where shop_id = $1 and endpoint_id = $2 and status = 'PENDING' and next_attempt_at is not null and not is_test
      order by next_attempt_at limit ${BATCH}
      for update skip locked
    ) delivery
  ), batch as (
    select * from test union all select * from other
  ), failed as (
    update outstanding_deliveries outstanding set status = 'FAILED', next_attempt_at = null,
      error_class = batch.error_class, error = batch.error
    from batch
    -- By index, because more deliveries may be outstanding than the statistics show.
    where outstanding.id = any(array(select id from batch)) and outstanding.shop_id = $1 and outstanding.id = batch.id
    returning 1
  )
  select count(*)::int as count from failed`,
};

/**
 * Fails a batch of an endpoint's deliveries when it is disabled or deleted, or the shop's plan does not include
 * webhooks. Returns true when there may be more.
 */
export async function failUndeliverable(database: Kysely<Database>, { shopId, endpointId }: SendJob): Promise<boolean> {
  const [failed] = await query<{ count: number }>(database, fail, [shopId, endpointId]);
  return failed!.count >= BATCH;
}
