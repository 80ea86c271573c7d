import { Logger as WorkerLogger, parseCronItems, run, type TaskList } from "graphile-worker";
import { sql } from "kysely";
import type { CoreServices } from "../core/context.ts";
import { projections } from "../core/database.ts";
import type { Logger } from "../platform/logger.ts";
import { deliver, type DeliveryKey } from "./deliver.ts";
import { createTransport } from "./post-delivery.ts";
import { resumeEndpoint, type EndpointKey } from "./resume-endpoint.ts";

const CONCURRENCY = 10;

export interface Worker {
  /** Lets running jobs finish. */
  stop: () => Promise<void>;
}

/** Runs the jobs that the core puts into its transactions. */
export async function startWorker(services: CoreServices, options: { url: string; logger: Logger }): Promise<Worker> {
  const transport = createTransport({ allowLoopback: services.webhooksAllowLoopback });
  const taskList: TaskList = {
    "deliver-webhook": (payload) => deliver(services, transport, payload as DeliveryKey),
    "resume-endpoint": (payload) => resumeEndpoint(services, payload as EndpointKey),
    "forget-expired": () => forgetExpired(services),
  };
  const runner = await run({
    connectionString: options.url,
    concurrency: CONCURRENCY,
    noHandleSignals: true,
    taskList,
    parsedCronItems: parseCronItems([{ task: "forget-expired", match: "17 * * * *" }]),
    logger: new WorkerLogger((scope) => (level, message, meta) => {
      options.logger[level === "warning" ? "warn" : level](
        { label: scope.label, jobId: scope.jobId, err: meta?.error },
        message,
      );
    }),
  });
  return {
    stop: async () => {
      await runner.stop();
      await transport.close();
    },
  };
}

async function forgetExpired({ orm }: CoreServices): Promise<void> {
  const database = projections(orm.em);
  await database
    .deleteFrom("idempotency_keys")
    .where("created_at", "<", sql<Date>`now() - interval '24 hours'`)
    .execute();
  await database.deleteFrom("sessions").where("expires_at", "<", new Date()).execute();
}
