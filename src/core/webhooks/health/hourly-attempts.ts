import { Float, Int, ObjectType } from "type-graphql";
import { field, nullable, objectOf } from "../../model/fields.ts";
import { TimestampScalar } from "../../model/scalars.ts";
import { percentile, mergeHistograms } from "./duration-histogram.ts";

const ESTIMATED = "accurate to 10 % from 1 ms. Null if there were no attempts.";

@ObjectType("HourlyWebhookAttempts", {
  description: "The delivery attempts to a webhook endpoint in one hour, including probes and test events.",
  simpleResolvers: true,
})
export class HourlyAttempts extends objectOf({
  hour: field(TimestampScalar, "The start of the hour."),
  attempts: field(Int, "The number of attempts."),
  failures: field(Int, "The number of failed attempts."),
  p50Ms: nullable(Float, `The median duration in milliseconds, ${ESTIMATED}`),
  p95Ms: nullable(Float, `The 95th percentile of the duration in milliseconds, ${ESTIMATED}`),
}) {
  /** The histogram of durations, empty without attempts. */
  durations!: number[];
}

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
