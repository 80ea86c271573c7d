import { setTimeout as wait } from "node:timers/promises";
import type { JobHelpers, TaskList } from "graphile-worker";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { traced, activeSpan, failSpan } from "../platform/telemetry/tracing.ts";
import type { MailJob } from "../core/notifications/mail-jobs.sql.ts";
import type { MailOutcome } from "./mail/send-mail.ts";
import type { AttemptResult } from "./sending/attempt-delivery.ts";
import { isLast } from "./sending/record-attempts.sql.ts";
import type { DueDelivery } from "./sending/read-due-deliveries.sql.ts";
import { PLACES, type Sender } from "./sending/send-webhooks.ts";
import { kysely } from "../core/queries/database.ts";
import { HealthStatus, waitingDeliveries } from "../core/webhooks/health/endpoint-health.ts";
import { loadWebhookFigures, reportedHealth } from "../core/webhooks/health/load-webhook-figures.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import { memoizeFor } from "../platform/memoize.ts";
import type { Database } from "../core/model/tables.ts";
import type { HealthChange } from "./sending/health/record-health.ts";

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

type Send<Result> = (payload: MailJob, helpers: JobHelpers) => Promise<Result>;

/** Wraps the task and counts mails by kind and outcome. */
export function countMails(metrics: Metrics, send: Send<MailOutcome>): Send<void> {
  const counts = metrics.counter("mails_total", "Mails by kind and outcome.", ["kind", "outcome"]);
  return async (payload, helpers) => {
    let outcome: MailOutcome | "postponed" = "postponed";
    try {
      outcome = await send(payload, helpers);
    } finally {
      counts.inc({ kind: payload.mail, outcome });
    }
  };
}

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

/** Traces an attempt below the span that caused its event. The URL is left out, because it may hold a secret. */
export function traceAttempt(delivery: DueDelivery, attempt: () => Promise<AttemptResult>): Promise<AttemptResult> {
  return traced(
    () => ({
      name: `deliver ${delivery.topic}`,
      kind: "CLIENT",
      cause: delivery.traceParent,
      attributes: {
        "http.request.method": "POST",
        "messaging.message.id": delivery.eventId,
        "merchant_api.shop.id": delivery.shopId,
        "merchant_api.delivery.id": delivery.id,
        "merchant_api.attempt": delivery.attempts + 1,
      },
    }),
    async () => {
      const result = await attempt();
      const { status, errorClass } = result.outcome;
      if (status !== null) activeSpan()?.setAttribute("http.response.status_code", status);
      if (errorClass !== null) failSpan(errorClass);
      return result;
    },
  );
}

/** Exposes how many of this worker's places are taken. */
export function watchPlaces({ loops }: Sender, metrics: Metrics): void {
  const shops = () => new Set([...loops.values()].map(({ job }) => job.shopId)).size;
  metrics.gauge("webhook_places_taken", "Endpoints that this worker is sending to.", () => loops.size);
  metrics.gauge("webhook_places_limit", "Maximum endpoints that this worker can send to at a time.", () => PLACES);
  metrics.gauge("webhook_places_shops", "Shops with endpoints that this worker is sending to.", shops);
}

/** How long figures from the database are cached, and how long a scrape waits for them. Milliseconds. */
const FRESH = 5_000;
const PATIENCE = 2_000;

/** Health states in which due deliveries are sent immediately. */
const SENT_TO = [HealthStatus.HEALTHY, HealthStatus.FAILING];

/**
 * Exposes figures about webhooks from the database, the same in every worker. They are read at most every five seconds,
 * and never twice at a time. Figures that take too long are missing from the scrape.
 */
export function watchWebhooks(em: EntityManager, { metrics, logger }: { metrics: Metrics; logger: Logger }): void {
  const load = memoizeFor(FRESH, async () => {
    try {
      return await loadWebhookFigures(kysely(em));
    } catch (error) {
      if (!isDatabaseUnavailable(error)) logger.error({ err: error }, "webhook metrics cannot be read");
      return undefined;
    }
  });
  const gauge = (
    name: string,
    help: string,
    read: (figures: Awaited<ReturnType<typeof loadWebhookFigures>>) => number,
    labels?: Record<string, string>,
  ) => {
    const known = () => Promise.race([load(), wait(PATIENCE, undefined, { ref: false })]);
    metrics.gauge(name, help, () => known().then((figures) => figures && read(figures)), labels);
  };
  const due = "Age of the oldest due webhook delivery in the database, by the health of its endpoint.";
  for (const health of SENT_TO)
    gauge("webhook_oldest_due_seconds", due, ({ byHealth }) => byHealth.get(health)?.oldestDue ?? 0, { health });
  const snapshot = "Age of the oldest transaction that keeps PostgreSQL from removing dead rows.";
  gauge("database_oldest_snapshot_seconds", snapshot, ({ oldestSnapshot }) => oldestSnapshot);
  const events = "Events of pull endpoints that are not acknowledged, counted up to 10,000 for each endpoint.";
  gauge("pull_waiting_events", events, ({ pull }) => pull.events);
  const oldest = "Age of the oldest event of a pull endpoint that is not acknowledged.";
  gauge("pull_oldest_waiting_seconds", oldest, ({ pull }) => pull.age);
  const endpoints = "Webhook endpoints in the database, by health.";
  for (const health of reportedHealth)
    gauge("webhook_endpoints", endpoints, ({ byHealth }) => byHealth.get(health)?.endpoints ?? 0, { health });
}

const serious = new Set<HealthStatus>([HealthStatus.SUSPENDED, HealthStatus.DISABLED]);

/** Logs a change in an endpoint's health. */
export async function logHealth(logger: Logger, database: Kysely<Database>, change: HealthChange): Promise<void> {
  const waiting = database
    .selectFrom("webhook_endpoints")
    .select(waitingDeliveries.as("waiting"))
    .where("shop_id", "=", change.shopId)
    .where("id", "=", change.endpointId)
    .executeTakeFirst();
  const level = serious.has(change.to) ? "warn" : "info";
  // The change is recorded already, so it is logged even without the number.
  logger[level]({ ...change, ...(await waiting.catch(() => undefined)) }, "a webhook endpoint's health changed");
}
