// Text, since one pass over all shops finds the oldest delivery of each endpoint with a lateral join under a union.
import type { Kysely } from "kysely";
import { hasApiAccess } from "../../model/shops/current-shop.ts";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import { backlog } from "./backlog.sql.ts";
import { HealthStatus } from "./endpoint-health.ts";

/** The health of endpoints for operators. Nothing is sent to pull endpoints. */
export const reportedHealth = [...Object.values(HealthStatus), "PULL"] as const;
type ReportedHealth = (typeof reportedHealth)[number];

// Each endpoint's oldest delivery is the first entry of an index. Deliveries to endpoints that are not sent to, or only
// probed, are not late.
const text = `
  select health, count(*)::int as endpoints, max(age)::float8 as "oldestDue" from (
    select extract(epoch from now() - oldest.next_attempt_at) as age, case
      when pull_paused is not null then 'PULL'
      when disabled_at is not null then '${HealthStatus.DISABLED}'
      when probe_at is not null then '${HealthStatus.SUSPENDED}'
      when consecutive_failures > 0 then '${HealthStatus.FAILING}'
      else '${HealthStatus.HEALTHY}' end as health
    from webhook_endpoints endpoint join shops on shops.id = endpoint.shop_id
    left join lateral (
      select next_attempt_at from outstanding_deliveries outstanding
      where disabled_at is null and probe_at is null and not paused and ${hasApiAccess}
        and outstanding.shop_id = endpoint.shop_id and outstanding.endpoint_id = endpoint.id
        and outstanding.status = 'PENDING' and outstanding.next_attempt_at <= now()
      order by outstanding.next_attempt_at limit 1
    ) oldest on true
    where shops.closed_at is null
  ) each_endpoint group by health`;

/**
 * SQL: the transactions for which PostgreSQL keeps dead rows, such as those of finished jobs, which each fetch of jobs
 * reads. Sessions of other roles are seen with `pg_read_all_stats` only.
 */
export const heldSnapshots = `
  select xact_start as since, format('The session %s of %s (%s, %s)', pid, usename, application_name, state) as holder
  from pg_stat_activity
  where coalesce(backend_xmin, backend_xid) is not null and datname = current_database() and pid <> pg_backend_pid()
    and backend_type <> 'autovacuum worker'
  union all
  select prepared, 'The prepared transaction ' || gid from pg_prepared_xacts where database = current_database()`;

const snapshot = `
  select coalesce(extract(epoch from now() - min(since)), 0)::float8 as age from (${heldSnapshots}) held`;

/** The events of all pull endpoints that nobody has acknowledged. */
const pulled = `
  select coalesce(sum(waiting + leased), 0)::float8 as events,
    coalesce(extract(epoch from now() - min(oldest_at)), 0)::float8 as age
  from webhook_endpoints endpoint join shops on shops.id = endpoint.shop_id
  cross join lateral ${backlog("endpoint.shop_id")} backlog
  where shops.closed_at is null and pull_paused is false`;

/** Loads figures about the webhooks of all open shops, for operators. Ages are of the oldest. Seconds; 0 without one. */
export async function loadWebhookFigures(database: Kysely<Database>) {
  const rows = await query<{ health: ReportedHealth; endpoints: number; oldestDue: number | null }>(
    database,
    { text },
    [],
  );
  const [held] = await query<{ age: number }>(database, { text: snapshot }, []);
  const [pull] = await query<{ events: number; age: number }>(database, { text: pulled }, []);
  return { byHealth: new Map(rows.map((row) => [row.health, row])), oldestSnapshot: held!.age, pull: pull! };
}
