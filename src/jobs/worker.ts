import { Logger as WorkerLogger, parseCronItems, run, type TaskList } from "graphile-worker";
import { sql } from "kysely";
import type { CoreServices } from "../core/context.ts";
import { projections } from "../core/database.ts";
import type { Logger } from "../platform/logger.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { claimDeliveries, releaseDelivery } from "./claim-deliveries.ts";
import { Dispatcher } from "./dispatcher.ts";
import { createTransport } from "./post-delivery.ts";
import { Presence } from "./presence.ts";
import { recordAttempts } from "./record-attempts.ts";
import { Recorder } from "./recorder.ts";
import { Sweep } from "./sweep.ts";

const CONCURRENCY = 10;

export interface Worker {
  /** Lets running attempts finish. */
  stop: () => Promise<void>;
}

interface WakeUp {
  shopId: string;
  endpointIds: string[];
}

/** Sends webhooks, and does what is to be done from time to time. */
export async function startWorker(services: CoreServices, options: { url: string; logger: Logger }): Promise<Worker> {
  const { url, logger } = options;
  const { orm, encryption } = services;
  const database = projections(orm.em);
  const transport = createTransport({ allowLoopback: services.webhooksAllowLoopback });
  const presence = new Presence({ url, logger });
  const recorder = new Recorder({
    write: async (results) => {
      for (const { details, ...change } of await recordAttempts(orm.em, results)) {
        logger.warn(change, "a webhook endpoint fails, is disabled or is enabled");
      }
    },
    logger,
  });
  const dispatcher = new Dispatcher({
    // Without a sign of life, others would take for abandoned what this one takes.
    claim: async (endpoints) =>
      presence.number === undefined ? [] : claimDeliveries(database, presence.number, endpoints),
    attempt: (delivery) => attemptDelivery({ encryption, transport }, delivery),
    record: (result) => recorder.add(result),
    release: (delivery) => releaseDelivery(database, delivery),
    logger,
  });
  const sweep = new Sweep({ presence, wake: (endpoints) => dispatcher.wake(endpoints), logger });
  await presence.start();
  const runner = await runJobs(options, {
    "wake-endpoints": (payload) => {
      const { shopId, endpointIds } = payload as WakeUp;
      dispatcher.wake(endpointIds.map((endpointId) => ({ shopId, endpointId })));
    },
    "forget-expired": () => forgetExpired(services),
  });
  sweep.start();
  return {
    stop: async () => {
      await runner.stop();
      await sweep.stop();
      await dispatcher.stop();
      await transport.close();
      await presence.stop();
    },
  };
}

function runJobs({ url, logger }: { url: string; logger: Logger }, taskList: TaskList) {
  return run({
    connectionString: url,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    taskList,
    parsedCronItems: parseCronItems([{ task: "forget-expired", match: "17 * * * *" }]),
    logger: new WorkerLogger((scope) => (level, message, meta) => {
      logger[level === "warning" ? "warn" : level](
        { label: scope.label, jobId: scope.jobId, err: meta?.error },
        message,
      );
    }),
  });
}

async function forgetExpired({ orm }: CoreServices): Promise<void> {
  const database = projections(orm.em);
  await database
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", sql<Date>`now() - interval '24 hours'`)
    .execute();
  await database.deleteFrom("sessions").where("expires_at", "<", new Date()).execute();
}
