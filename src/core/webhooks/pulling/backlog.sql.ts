// Text, since it counts the first entries of an index below a lateral join.
import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import { matchByRequest, type RowKey } from "../../queries/row-key.ts";

/** The limit of counting, so that a million cost no more. */
export const MAX_BACKLOG_COUNTED = 10_000;

/** SQL: true when the oldest event has waited for too long. */
export const IS_BEHIND = "coalesce(oldest_at < now() - interval '1 day', false)";

const first = (condition: string, shopId: string, limit: number) => `(
  select next_attempt_at, created_at from outstanding_deliveries outstanding
  where outstanding.shop_id = ${shopId} and outstanding.endpoint_id = endpoint.id
    and status = 'PENDING' and ${condition}
  order by next_attempt_at limit ${limit}
)`;

/** SQL: the events of `endpoint` that nobody has acknowledged, for a lateral join. Each number is counted to the limit. */
export const backlog = (shopId = "$1", limit = MAX_BACKLOG_COUNTED) => `(
  select count(*) filter (where next_attempt_at <= now())::int as waiting,
    count(*) filter (where next_attempt_at > now())::int as leased, min(created_at) as oldest_at
  from (
    ${first("next_attempt_at <= now()", shopId, limit)} union all ${first("next_attempt_at > now()", shopId, limit)}
  ) counted
)`;

const state = {
  name: "pull states",
  text: `select endpoint.shop_id as "shopId", endpoint.id, waiting, leased, oldest_at as "oldestAt",
      ${IS_BEHIND} as "isBehind", last_fetched_at as "lastFetchedAt", last_fetched_by as "lastFetchedBy"
    from webhook_endpoints endpoint cross join lateral ${backlog()} backlog
    where endpoint.shop_id = $1 and endpoint.id = any($2) and pull_paused is not null`,
};

/** The state of a pull endpoint. */
export interface PullRow extends RowKey {
  waiting: number;
  leased: number;
  oldestAt: Date | null;
  isBehind: boolean;
  lastFetchedAt: Date | null;
  lastFetchedBy: string | null;
}

/** Loads the states of pull endpoints of one shop. Null for others. */
export async function loadPullStates(
  database: Kysely<Database>,
  endpoints: readonly RowKey[],
): Promise<(PullRow | null)[]> {
  const ids = endpoints.map(({ id }) => id);
  return matchByRequest(endpoints, await query<PullRow>(database, state, [endpoints[0]!.shopId, ids]));
}

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
