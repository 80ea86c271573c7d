import type { TaskList } from "graphile-worker";
import type { CoreServices } from "../core/context.ts";
import { CHECK_IMPORT, FILL_SANDBOX, RUN_IMPORT } from "../core/imports/import-jobs.sql.ts";
import { SEND_MAIL, type MailJob } from "../core/notifications/mail-jobs.sql.ts";
import { SEND_DIGEST, type DigestJob } from "../core/notifications/record-notices.sql.ts";
import {
  auditLoginFailure,
  AUDIT_LOGIN_FAILURE,
  type LoginFailureJob,
} from "../core/staff/throttle/login-failures.sql.ts";
import type { RowKey } from "../core/queries/row-key.ts";
import { CHECK_RECEIVER, SEND_WEBHOOKS, type CheckJob, type SendJob } from "../core/webhooks/jobs/send-jobs.sql.ts";
import type { DatabaseClock } from "../platform/postgres/database-clock.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import type { Egress } from "../platform/server-url.ts";
import type { Mailer } from "../platform/mail/mailer.ts";
import type { Metrics } from "../platform/telemetry/metrics.ts";
import { checkImport, runFilling, runImport } from "./import-jobs.ts";
import { JobRunner } from "./job-runner.ts";
import { countMails, observeTasks, watchPlaces, watchWebhooks } from "./telemetry.ts";
import { notifyBacklogs } from "./mail/notify-backlogs.sql.ts";
import { notifyExpiring } from "./mail/notify-expiring.sql.ts";
import { notifyNewAddresses } from "./mail/notify-new-addresses.sql.ts";
import { sendDigest } from "./mail/send-digest.ts";
import { sendMail } from "./mail/send-mail.ts";
import { purgeEvents } from "./retention/purge-events.sql.ts";
import { purgeRequests, purgeExpired, purgeSandboxes } from "./retention/purge-expired.sql.ts";
import { rewriteOldWords } from "./rewrite-old-words.ts";
import { checkReceiver } from "./sending/check-receiver.ts";
import { findLostDeliveries } from "./sending/find-lost-deliveries.sql.ts";
import { Sender } from "./sending/send-webhooks.ts";
import { createDeliveryServices } from "./delivery-services.ts";
import { transportOf } from "./transport/create-transport.ts";
import { WorkerSession } from "./worker-session.sql.ts";

export interface WorkerOptions {
  url: string;
  clock: DatabaseClock;
  logger: Logger;
  /** Sends mails, with the base of their links. Mails are dropped without it. */
  mail?: { mailer: Mailer; baseUrl: string };
  metrics: Metrics;
  egress: Egress;
  /** As in `RunnerOptions`. */
  pollInterval?: number;
}

export interface Worker {
  /** Settles when the worker's connections answer. @throws when one does not */
  ping: () => Promise<unknown>;
  /** Waits for running attempts. */
  stop: () => Promise<void>;
}

const crons = [
  { task: "find-lost-deliveries", match: "* * * * *" },
  { task: "purge-expired", match: "17 * * * *" },
  { task: "notify-expiring", match: "29 * * * *" },
  { task: "notify-backlogs", match: "37 * * * *" },
  // Each run covers one hour. Missed runs are backfilled.
  { task: "notify-new-addresses", match: "41 * * * *", options: { backfillPeriod: 86_400_000 } },
  { task: "purge-events", match: "43 * * * *" },
  { task: "purge-requests", match: "53 * * * *" },
  { task: "purge-sandboxes", match: "59 * * * *" },
];

/** Starts the worker, which sends webhooks and mails and runs scheduled tasks. */
export async function startWorker(services: CoreServices, options: WorkerOptions): Promise<Worker> {
  const { url, clock, logger, metrics, mail, egress } = options;
  const { em } = services.orm;
  const transport = transportOf(egress, services.webhooksAllowLoopback);
  const session = new WorkerSession({ url, logger });
  const sender = new Sender(session, createDeliveryServices(services, { clock, logger, metrics, transport }));
  const mailServices = { em, encryption: services.encryption, mail, clock, logger };
  const sendMails = countMails(metrics, (payload, helpers) => sendMail(mailServices, payload, helpers));
  const ending = new AbortController();
  const { signal } = ending;
  const checking = { em, encryption: services.encryption, transport, clock, signal };
  const tasks: TaskList = {
    [SEND_WEBHOOKS]: (payload, { job }) => sender.send(payload as SendJob, job.attempts > 1),
    [CHECK_RECEIVER]: (payload, { job }) => checkReceiver(checking, payload as CheckJob, job.created_at),
    [SEND_MAIL]: (payload, helpers) => sendMails(payload as MailJob, helpers),
    [SEND_DIGEST]: (payload) => sendDigest(em, payload as DigestJob),
    [AUDIT_LOGIN_FAILURE]: (payload, { job }) => auditLoginFailure(em, payload as LoginFailureJob, job.created_at),
    [CHECK_IMPORT]: (payload, { job }) => checkImport(em, { key: payload as RowKey, number: job.attempts, signal }),
    [RUN_IMPORT]: (payload, { job }) => runImport(em, { key: payload as RowKey, number: job.attempts, signal }),
    [FILL_SANDBOX]: (payload, { job }) => runFilling(em, { key: payload as RowKey, number: job.attempts, signal }),
    "notify-expiring": () => notifyExpiring(em, signal),
    "notify-backlogs": () => notifyBacklogs(em, signal),
    "notify-new-addresses": (payload) =>
      notifyNewAddresses(em, new Date((payload as { _cron: { ts: string } })._cron.ts), signal),
    "find-lost-deliveries": () => findLostDeliveries(em, logger, signal),
    "purge-expired": () => purgeExpired(em, signal),
    "purge-events": () => purgeEvents(em, signal),
    "purge-requests": () => purgeRequests(em, signal),
    "purge-sandboxes": () => purgeSandboxes(em, signal),
    "rewrite-old-words": () => rewriteOldWords(em, signal),
  };
  // If this fails, the session announces the runner when it reconnects.
  const onStart = (name: string) => void session.announce(name).catch(() => undefined);
  const observed = observeTasks(tasks, metrics);
  const runner = new JobRunner({ ...options, onStart, tasks: observed, crons });
  watchWebhooks(em, options);
  watchPlaces(sender, metrics);
  session.start();
  await runner.start();
  return {
    ping: () => Promise.all([session.ping(), runner.ping()]),
    stop: async () => {
      ending.abort();
      sender.stop();
      await runner.stop();
      await transport.close();
      await session.stop();
    },
  };
}
