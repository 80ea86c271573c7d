import type { JobHelpers, TaskList } from "graphile-worker";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { traced } from "../platform/telemetry/tracing.ts";

/** Buckets for the durations of jobs, which may take minutes. Seconds. */
const BUCKETS = [0.005, 0.025, 0.1, 0.5, 1, 5, 10, 60, 300];

/** Wraps tasks to measure and trace their jobs. */
export function observeTasks(tasks: TaskList, metrics: Metrics): TaskList {
  const durations = metrics.histogram("job_duration_seconds", "Duration of jobs.", ["task", "outcome"], BUCKETS);
  const observed = Object.entries(tasks).map(([task, run]) => {
    // Starts counts at 0: Prometheus sees no increase in a count that first appears as 1, and would miss the first
    // failure.
    for (const outcome of ["done", "failed"]) durations.zero({ task, outcome });
    const runObserved = async (payload: unknown, helpers: JobHelpers) => {
      const startedAt = performance.now();
      let outcome = "failed";
      try {
        const { traceParent: cause } = payload as { traceParent?: string };
        await traced(
          () => ({ name: task, kind: "CONSUMER", cause, attributes: { "merchant_api.job.id": helpers.job.id } }),
          async () => run!(payload, helpers),
        );
        outcome = "done";
      } finally {
        durations.observe({ task, outcome }, (performance.now() - startedAt) / 1_000);
      }
    };
    return [task, runObserved] as const;
  });
  return Object.fromEntries(observed);
}
