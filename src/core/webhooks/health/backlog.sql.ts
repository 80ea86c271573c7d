// Text, since it counts the first entries of an index below a lateral join.
import { sql, type Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";

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

/** The events of a pull endpoint that nobody has acknowledged. */
export interface Backlog {
  waiting: number;
  leased: number;
  oldestAt: Date | string | null;
  isBehind: boolean;
}

/** SQL: those of a row of `webhook_endpoints`, as JSON. Null unless it is a pull endpoint. */
export const backlogOf = sql<Backlog | null>`(
  select json_build_object('waiting', waiting, 'leased', leased, 'oldestAt', oldest_at, 'isBehind', ${sql.raw(IS_BEHIND)})
  from ${sql.raw(backlog("$1", MAX_BACKLOG_COUNTED, "webhook_endpoints.id"))} backlog
  where pull_paused is not null)`;

const figures = {
  text: `select coalesce(sum(waiting + leased), 0)::float8 as events,
      coalesce(extract(epoch from now() - min(oldest_at)), 0)::float8 as age
    from webhook_endpoints endpoint join shops on shops.id = endpoint.shop_id
    cross join lateral ${backlog("endpoint.shop_id")} backlog
    where shops.closed_at is null and pull_paused is false`,
};

/** The events of all pull endpoints that nobody has acknowledged. */
export interface PullFigures {
  /** Waiting and leased ones are each counted up to 10,000 for each endpoint. */
  events: number;
  /** The age of the oldest. Seconds; 0 without one. */
  age: number;
}

export async function loadPullFigures(database: Kysely<Database>): Promise<PullFigures> {
  const [row] = await query<PullFigures>(database, figures, []);
  return row!;
}
