import { setTimeout as wait } from "node:timers/promises";
import type { CoreServices } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { sendAt } from "../core/webhooks/jobs/send-jobs.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import { memoize } from "../platform/memoize.ts";
import type { DatabaseClock } from "../platform/postgres/database-clock.ts";
import { logRepeated, type Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { attemptDelivery } from "./sending/attempt-delivery.ts";
import type { SendingServices } from "./sending/send-webhooks.ts";
import { failUndeliverable } from "./sending/fail-undeliverable.sql.ts";
import { postponeDelivery, readDueDeliveries } from "./sending/read-due-deliveries.sql.ts";
import { recordAttempts } from "./sending/record-attempts.sql.ts";
import { countAttempts, logHealth, traceAttempt } from "./telemetry.ts";
import type { Transport } from "./transport/create-transport.ts";

/** The wait before results are recorded again. Milliseconds. */
const RETRY = 500;

interface Options {
  clock: DatabaseClock;
  logger: Logger;
  metrics: Metrics;
  transport: Transport;
}

/** What sending needs of the database and the network. */
export function createDeliveryServices(services: CoreServices, options: Options): SendingServices {
  const { clock, logger, metrics, transport } = options;
  const { em } = services.orm;
  const database = kysely(em);
  const count = countAttempts(metrics);
  const pauses = metrics.counter("webhook_pauses_total", "Pauses of deliveries to an endpoint by faults of a worker.");
  // Memoized, because decrypting a signing secret takes longer than signing.
  const encryption = { open: memoize(services.encryption.open) };
  return {
    read: (requests) => readDueDeliveries(database, requests[0]!.shopId, requests),
    failUndeliverable: (job) => failUndeliverable(database, job),
    attempt: (delivery) => traceAttempt(delivery, () => attemptDelivery({ encryption, transport, clock }, delivery)),
    record: async (results) => {
      const changes = await patiently(logger, () => recordAttempts(em, results[0]!.delivery.shopId, results));
      count(results);
      for (const change of changes) await logHealth(logger, database, change);
    },
    postpone: async (delivery, error) => {
      logger.error({ err: error, deliveryId: delivery.id }, "a delivery could not be attempted");
      await postponeDelivery(em, delivery).catch(() => undefined);
    },
    // There is one job per endpoint and moment. Whole seconds keep their number low.
    requeue: ({ shopId, endpointId, until }, seconds) => {
      const inSeconds = new Date((Math.ceil(clock.now().getTime() / 1_000) + seconds) * 1_000);
      return sendAt(em, shopId, [{ endpointId, runAt: seconds === 0 ? null : inSeconds }], { priority: 1, until });
    },
    reportFault: ({ endpointId }, fault) => {
      pauses.inc({});
      logger.error({ err: fault, endpointId }, "webhook delivery paused: this worker cannot send");
    },
  };
}

/** Repeats a write while the database is unavailable. */
async function patiently<Result>(logger: Logger, write: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await write();
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      logRepeated(logger, "warn", { reason: (error as Error).message }, "attempts cannot be recorded; retrying");
      await wait(RETRY);
    }
  }
}
