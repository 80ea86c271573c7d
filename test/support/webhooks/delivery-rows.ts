/** SQL: the deliveries of the shop `$1` with their states. One that succeeded has the rest of its last successful attempt. */
export const SELECT_DELIVERIES = `
  select id, event_id, endpoint_id, is_test, status, coalesce(attempts, success.number) as attempts,
    coalesce(state.response_status, success.response_status) as response_status, error_class, error,
    coalesce(attempted_at, success.started_at) as attempted_at, next_attempt_at
  from delivery_states state left join lateral (
    select number, response_status, started_at from delivery_attempts
    where status = 'SUCCEEDED' and delivery_attempts.shop_id = $1 and delivery_id = state.id
      and delivery_attempts.error_class is null
    order by delivery_attempts.id desc limit 1
  ) success on true
  where shop_id = $1`;
