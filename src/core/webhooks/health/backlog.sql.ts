// Text, since it counts the first entries of an index below a lateral join.

/** The limit of counting, so that a million cost no more. */
export const MAX_BACKLOG_COUNTED = 10_000;

/** SQL: true when the oldest event has waited for too long. */
export const IS_BEHIND = "coalesce(oldest_at < now() - interval '1 day', false)";

const first = (condition: string, shopId: string, limit: number, endpointId: string) => `(
  select next_attempt_at, created_at from outstanding_deliveries outstanding
  where outstanding.shop_id = ${shopId} and outstanding.endpoint_id = ${endpointId}
    and status = 'PENDING' and ${condition}
  order by next_attempt_at limit ${limit}
)`;

/** SQL: the events of an endpoint that nobody has acknowledged, for a join. Each number is counted to the limit. */
export const backlog = (shopId: string, limit = MAX_BACKLOG_COUNTED, endpointId = "endpoint.id") => `(
  select count(*) filter (where next_attempt_at <= now())::int as waiting,
    count(*) filter (where next_attempt_at > now())::int as leased, min(created_at) as oldest_at
  from (
    ${first("next_attempt_at <= now()", shopId, limit, endpointId)}
    union all ${first("next_attempt_at > now()", shopId, limit, endpointId)}
  ) counted
)`;
