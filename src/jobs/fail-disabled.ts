import { ENDPOINT_DISABLED_ERROR, ErrorClass } from "../core/webhooks/error-class.ts";

/** Deliveries that one statement takes, so that none of them takes long. */
export const FAIL_BATCH = 1_000;

/**
 * SQL: what these endpoints were still to be sent, which are disabled or deleted, has failed, a batch of it. Answers how
 * much that was. Parameters are the shops and the endpoints.
 */
export const failDisabled = `
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
      select shop_id, id from deliveries
      where shop_id = disabled.shop_id and endpoint_id = disabled.id and status = 'PENDING'
        and next_attempt_at is not null and not is_test
      order by next_attempt_at limit ${FAIL_BATCH}
      for update skip locked
    ) delivery limit ${FAIL_BATCH}
  ), failed as (
    update deliveries set status = 'FAILED', next_attempt_at = null, error_class = '${ErrorClass.ENDPOINT_DISABLED}',
      error = '${ENDPOINT_DISABLED_ERROR}'
    from batch where deliveries.shop_id = batch.shop_id and deliveries.id = batch.id
    returning 1
  )
  select count(*)::int as count from failed`;
