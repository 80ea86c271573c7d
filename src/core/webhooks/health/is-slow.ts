import { mergeHistograms, percentile } from "./duration-histogram.ts";
import type { HourlyAttempts } from "./hourly-attempts.ts";

/** A day of attempts is judged, the current hour included. */
export const SLOW_HOURS = 24;
/** Fewer attempts say nothing: of twenty, it takes two slow ones. */
export const SLOW_ATTEMPTS = 20;
/** A third of the time that an attempt may take. Milliseconds. */
export const SLOW_P95 = 3_000;

/** Whether the 95th percentile of all durations in these hours is too high. */
export function isSlow(hours: readonly HourlyAttempts[]): boolean {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  if (attempts < SLOW_ATTEMPTS) return false;
  return percentile(mergeHistograms(hours.map(({ durations }) => durations)), 0.95)! > SLOW_P95;
}
