import type { JobHelpers } from "graphile-worker";
import type { MailJob } from "../../core/notifications/mail-jobs.ts";
import type { Metrics } from "../../platform/telemetry/metrics.ts";
import type { MailOutcome } from "./send-mail.ts";

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
