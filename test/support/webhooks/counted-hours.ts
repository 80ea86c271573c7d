import { histogramOf } from "../../../src/core/webhooks/health/duration-histogram.ts";
import { query } from "../database.ts";

/** Counts successful attempts of these durations, in milliseconds, within the hour that began `hoursAgo` hours before this one. */
export async function buildCountedHour(
  databaseUrl: string,
  endpoint: { shopId: string; id: string },
  durations: number[],
  hoursAgo = 0,
): Promise<void> {
  await query(
    databaseUrl,
    `insert into hourly_attempts (shop_id, endpoint_id, hour, attempts, failures, durations)
    values ($1, $2, date_trunc('hour', now(), 'UTC') - $3 * interval '1 hour', $4, 0, $5)`,
    [endpoint.shopId, endpoint.id, hoursAgo, durations.length, histogramOf(durations)],
  );
}
