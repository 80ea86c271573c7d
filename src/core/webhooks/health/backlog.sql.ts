// Text, since it counts the first entries of an index below a lateral join.
import { sql } from "kysely";
import { ID, Int, ObjectType } from "type-graphql";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import type { InJson } from "../../queries/columns.ts";

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

@ObjectType({ description: "The events of a pull endpoint that wait for services.", simpleResolvers: true })
export class PullState extends objectOf({
  waiting: field(Int, `The number of events that the next callers receive. Counted up to ${MAX_BACKLOG_COUNTED}.`),
  leased: field(
    Int,
    `The number of events that services have received, with leases that have not ended. Counted up to ${MAX_BACKLOG_COUNTED}.`,
  ),
  oldestAt: nullable(
    TimestampScalar,
    "When the oldest event occurred that is not acknowledged. Null if there is none.",
  ),
  isBehind: field(Boolean, "Whether that was more than a day ago."),
  lastFetchedAt: nullable(TimestampScalar, "When a caller last asked for events, to the minute. Null if none has."),
  lastFetchedBy: nullable(ID, "The ID of that service or staff member."),
}) {
  shopId!: string;
}

/** SQL: the state of a row of `webhook_endpoints`, as JSON. Null unless it is a pull endpoint. */
export const pullState = sql<InJson<PullState> | null>`(
  select json_build_object('shopId', shop_id, 'waiting', waiting, 'leased', leased, 'oldestAt', oldest_at,
    'isBehind', ${sql.raw(IS_BEHIND)}, 'lastFetchedAt', last_fetched_at, 'lastFetchedBy', last_fetched_by)
  from ${sql.raw(backlog("$1", MAX_BACKLOG_COUNTED, "webhook_endpoints.id"))} backlog
  where pull_paused is not null)`;
