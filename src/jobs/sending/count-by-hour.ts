import { histogramOf } from "../../core/webhooks/health/duration-histogram.ts";
import type { AttemptResult } from "./attempt-delivery.ts";

const HOUR = 3_600_000;

/** The counts that `addHours` adds to an hour of an endpoint. */
interface HourCounts {
  hour: Date;
  attempts: number;
  failures: number;
  durations: number[];
}

/** Counts attempts by the hour in which they started. A batch mostly has one hour. */
export function countByHour(results: readonly AttemptResult[]): HourCounts[] {
  const byHour = Map.groupBy(results, ({ startedAt }) => Math.floor(startedAt.getTime() / HOUR) * HOUR);
  return [...byHour].map(([hour, group]) => ({
    hour: new Date(hour),
    attempts: group.length,
    failures: group.filter(({ outcome }) => outcome.errorClass !== null).length,
    durations: histogramOf(group.map(({ outcome }) => outcome.timings.total)),
  }));
}

/** SQL: adds counts, given as JSON, to the stored counts of an endpoint. A deleted endpoint gets none. */
export const addHours = (shopId: string, endpointId: string, counts: string) => `
  insert into hourly_attempts as kept (shop_id, endpoint_id, hour, attempts, failures, durations)
  select ${shopId}, ${endpointId}, hour, attempts, failures, durations
  from json_to_recordset(${counts}::json) as added (hour timestamptz, attempts int, failures int, durations int[])
  where exists (select from webhook_endpoints where shop_id = ${shopId} and id = ${endpointId})
  on conflict (shop_id, hour, endpoint_id) do update set attempts = kept.attempts + excluded.attempts,
    failures = kept.failures + excluded.failures,
    durations = array(select old + more from unnest(kept.durations, excluded.durations) as bucket (old, more))`;
