// Text, since Kysely has no series of hours to join.
import type { Kysely } from "kysely";
import type { Database } from "../../model/tables.ts";
import { query } from "../../queries/database.ts";
import type { RowKey } from "../../queries/row-key.ts";
import { percentile } from "./duration-histogram.ts";
import type { HourlyAttempts } from "./hourly-attempts.ts";

/** An endpoint, and the number of hours. */
interface HoursKey extends RowKey {
  hours: number;
}

interface HourRow extends Pick<HourlyAttempts, "hour" | "attempts" | "failures" | "durations"> {
  id: string;
  hours: number;
}

const text = `
  select asked.id, hours, asked_hour as hour, coalesce(attempts, 0) as attempts, coalesce(failures, 0) as failures,
    coalesce(durations, '{}') as durations
  from (select distinct * from unnest($2::text[], $3::int[]) as keys (id, hours)) asked
  cross join date_trunc('hour', now(), 'UTC') as this_hour
  cross join generate_series(this_hour - (hours - 1) * interval '1 hour', this_hour, interval '1 hour') as asked_hour
  left join hourly_attempts kept on kept.shop_id = $1 and kept.endpoint_id = asked.id and kept.hour = asked_hour
  order by asked_hour`;

const nameOf = ({ id, hours }: Pick<HoursKey, "id" | "hours">) => `${id} ${hours}`;

/**
 * Loads the hourly attempts of endpoints of one shop, including the current hour. Many deliveries may request the same
 * endpoint.
 */
export async function loadHourlyAttempts(
  database: Kysely<Database>,
  endpoints: readonly HoursKey[],
): Promise<HourlyAttempts[][]> {
  const rows = await query<HourRow>(database, { name: "load hourly attempts", text }, [
    endpoints[0]!.shopId,
    endpoints.map(({ id }) => id),
    endpoints.map(({ hours }) => hours),
  ]);
  const byName = new Map([...Map.groupBy(rows, nameOf)].map(([name, group]) => [name, group.map(show)]));
  return endpoints.map((endpoint) => byName.get(nameOf(endpoint))!);
}

function show({ hour, attempts, failures, durations }: HourRow): HourlyAttempts {
  return { hour, attempts, failures, p50Ms: percentile(durations, 0.5), p95Ms: percentile(durations, 0.95), durations };
}
