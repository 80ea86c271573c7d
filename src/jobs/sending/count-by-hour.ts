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
