import type { CoreServices } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { sendAt } from "../core/webhooks/jobs/send-jobs.sql.ts";
import { memoize } from "../platform/memoize.ts";
import type { DatabaseClock } from "../platform/postgres/database-clock.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { attemptDelivery } from "./sending/attempt-delivery.ts";
import type { DeliveryServices } from "./sending/delivery-loop.ts";
import { failUndeliverable } from "./sending/fail-undeliverable.sql.ts";
import { postponeDelivery, readDueDeliveries } from "./sending/read-due-deliveries.sql.ts";
import { recordAttempts } from "./sending/record-attempts.sql.ts";
import { createRecorder } from "./sending/recorder.ts";
import { countAttempts, logHealth, traceAttempt } from "./telemetry.ts";
import type { Transport } from "./transport/create-transport.ts";

interface Options {
  clock: DatabaseClock;
  logger: Logger;
  metrics: Metrics;
  transport: Transport;
}

/** What sending needs of the database and the network. */
export function createDeliveryServices(services: CoreServices, options: Options): DeliveryServices {
  const { clock, logger, metrics, transport } = options;
  const { em } = services.orm;
  const database = kysely(em);
  const count = countAttempts(metrics);
  const pauses = metrics.counter("webhook_pauses_total", "Pauses of deliveries to an endpoint by faults of a worker.");
  // Memoized, because decrypting a signing secret takes longer than signing.
  const encryption = { open: memoize(services.encryption.open) };
  return {
    read: (job, request) => readDueDeliveries(database, job, request),
    failUndeliverable: (job) => failUndeliverable(database, job),
    attempt: (delivery) => traceAttempt(delivery, () => attemptDelivery({ encryption, transport, clock }, delivery)),
    recorderFor: (job) =>
      createRecorder({
        write: async (results) => {
          const change = await recordAttempts(em, job, results);
          count(results);
          if (change) await logHealth(logger, database, change);
        },
        logger,
      }),
    postpone: async (delivery, error) => {
      logger.error({ err: error, deliveryId: delivery.id }, "a delivery could not be attempted");
      await postponeDelivery(em, delivery).catch(() => undefined);
    },
    // There is one job per endpoint and moment. Whole seconds keep their number low.
    requeue: (job, seconds) => {
      const inSeconds = new Date((Math.ceil(clock.now().getTime() / 1_000) + seconds) * 1_000);
      return sendAt(em, job, [seconds === 0 ? null : inSeconds], 1);
    },
    reportFault: ({ endpointId }, fault) => {
      pauses.inc({});
      logger.error({ err: fault, endpointId }, "webhook delivery paused: this worker cannot send");
    },
  };
}
