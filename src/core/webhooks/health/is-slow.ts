import { mergeHistograms, percentile } from "./duration-histogram.ts";
import type { HourlyAttempts } from "./hourly-attempts.ts";

/** The judged period: a day, including the current hour. */
export const SLOW_HOURS = 24;
/** The minimum number of attempts. With twenty, two must be slow. */
export const SLOW_ATTEMPTS = 20;
/** The limit: a third of the time-out of an attempt. Milliseconds. */
export const SLOW_P95 = 3_000;

/** Returns true when the 95th percentile of durations in these hours is too high. */
export function isSlow(hours: readonly HourlyAttempts[]): boolean {
  const attempts = hours.reduce((sum, hour) => sum + hour.attempts, 0);
  if (attempts < SLOW_ATTEMPTS) return false;
  return percentile(mergeHistograms(hours.map(({ durations }) => durations)), 0.95)! > SLOW_P95;
}
