import type { Metrics } from "../../../platform/telemetry/metrics.ts";
import type { AttemptResult } from "../attempt-delivery.ts";
import { isLast } from "../record-attempts.sql.ts";

/** Creates a function that counts attempts by outcome and records their duration. */
export function countAttempts(metrics: Metrics): (results: readonly AttemptResult[]) => void {
  const counts = metrics.counter("webhook_attempts_total", "Delivery attempts, by outcome.", [
    "outcome",
    "error_class",
  ]);
  const durations = metrics.histogram("webhook_attempt_duration_seconds", "Duration of delivery attempts.", [
    "outcome",
  ]);
  return (results) => {
    for (const result of results) {
      const { errorClass, timings } = result.outcome;
      const outcome = errorClass === null ? "succeeded" : isLast(result) ? "failed" : "postponed";
      counts.inc({ outcome, error_class: errorClass ?? "" });
      durations.observe({ outcome }, timings.total / 1_000);
    }
  };
}
