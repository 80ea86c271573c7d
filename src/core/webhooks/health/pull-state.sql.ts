// Text, since it names a column of the query around it. Separate from backlog.sql.ts, which commands load without GraphQL.
import { sql } from "kysely";
import { ID, Int, ObjectType } from "type-graphql";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import type { InJson } from "../../queries/columns.ts";
import { backlog, IS_BEHIND, MAX_BACKLOG_COUNTED } from "./backlog.sql.ts";

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
