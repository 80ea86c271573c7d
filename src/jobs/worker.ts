import type { TaskList } from "graphile-worker";
import type { Kysely } from "kysely";
import type { CoreServices } from "../core/context.ts";
import { projections, type Database } from "../core/database.ts";
import { WAKE_ENDPOINTS, type WakeUp } from "../core/webhooks/wake-endpoints.ts";
import type { DatabaseClock } from "../platform/database-clock.ts";
import type { Logger } from "../platform/logger.ts";
import { remember } from "../platform/remember.ts";
import { attemptDelivery } from "./attempt-delivery.ts";
import { openByIndex } from "./by-index.ts";
import { Dispatcher } from "./dispatcher.ts";
import { forgetExpired } from "./forget-expired.ts";
import { forgetOldEvents } from "./forget-old-events.ts";
import { JobRunner } from "./job-runner.ts";
import { createTransport } from "./post-delivery.ts";
import { putOffDelivery, readDueDeliveries } from "./read-due-deliveries.ts";
import { recordAttempts, type RecordingDatabases } from "./record-attempts.ts";
import { Recorder } from "./recorder.ts";
import { Sweep } from "./sweep.ts";
import { WakeUps } from "./wake-ups.ts";
import { WorkerSession } from "./worker-session.ts";

export interface WorkerOptions {
  url: string;
  clock: DatabaseClock;
  logger: Logger;
}

export interface Worker {
  /** Lets running attempts finish. */
  stop: () => Promise<void>;
}

const crons = [
  { task: "forget-expired", match: "17 * * * *" },
  { task: "forget-old-events", match: "43 * * * *" },
];

/** Sends webhooks, and does what is to be done from time to time. */
export async function startWorker(services: CoreServices, options: WorkerOptions): Promise<Worker> {
  const { url, clock, logger } = options;
  const database = projections(services.orm.em);
  // Opening a signing secret takes longer than signing with it.
  const encryption = { open: remember(services.encryption.open) };
  const transport = createTransport({ allowLoopback: services.webhooksAllowLoopback });
  const session = new WorkerSession({
    url,
    onWake: (endpoints) => dispatcher.wake(endpoints),
    onLost: () => dispatcher.forget(),
    logger,
  });
  const byIndex = openByIndex(url, logger);
  const recorder = createRecorder({ em: services.orm.em, byIndex }, logger);
  const dispatcher = new Dispatcher({
    read: (endpoints) => readDueDeliveries(session, endpoints),
    letGo: (endpointIds) => session.letGo(endpointIds),
    wakeOthers: (endpoints) => session.wakeOthers(endpoints),
    attempt: (delivery) => attemptDelivery({ encryption, transport, clock }, delivery),
    record: (result) => recorder.add(result),
    putOff: (delivery) => putOffDelivery(database, delivery),
    logger,
  });
  const sweep = new Sweep({
    database,
    wake: (endpoints) => dispatcher.wake(endpoints),
    tidy: () => dispatcher.tidy(),
    logger,
  });
  const wake = ({ shopId, endpointIds }: WakeUp) =>
    dispatcher.wake(
      endpointIds.map((endpointId) => ({ shopId, endpointId })),
      { isToldByJob: true },
    );
  const wakeUps = new WakeUps({ database, wake, logger });
  await session.start();
  const forgetting = new AbortController();
  const runner = new JobRunner({
    url,
    logger,
    onMany: (jobs) => wakeUps.takeAll(jobs),
    tasks: tasksOf(database, wakeUps, forgetting.signal),
    crons,
  });
  await runner.start();
  sweep.start();
  return {
    stop: async () => {
      forgetting.abort();
      await wakeUps.stop();
      await runner.stop();
      await sweep.stop();
      await dispatcher.stop();
      await transport.close();
      await session.stop();
      await byIndex.destroy();
    },
  };
}

function tasksOf(database: Kysely<Database>, wakeUps: WakeUps, signal: AbortSignal): TaskList {
  return {
    [WAKE_ENDPOINTS]: (payload) => wakeUps.take(payload as WakeUp),
    "forget-expired": () => forgetExpired(database, signal),
    "forget-old-events": () => forgetOldEvents(database, signal),
  };
}

function createRecorder(databases: RecordingDatabases, logger: Logger): Recorder {
  return new Recorder({
    write: async (results) => {
      for (const { details, ...change } of await recordAttempts(databases, results)) {
        logger.warn(change, "a webhook endpoint fails, is disabled or is enabled");
      }
    },
    logger,
  });
}
