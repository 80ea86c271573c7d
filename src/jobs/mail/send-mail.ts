import type { JobHelpers } from "graphile-worker";
import type { MailJob } from "../../core/notifications/mail-jobs.sql.ts";
import { RESET_LIFETIME } from "../../core/staff/flows/passwords.ts";
import type { DatabaseClock } from "../../platform/postgres/database-clock.ts";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { MailError, type Mailer } from "../../platform/mail/mailer.ts";
import { writeMail, type WritingServices } from "./write-mail.ts";

const DAY = 86_400_000;

/** The age in milliseconds at which a mail is useless. Shorter than graphile-worker keeps retrying. */
const oldest: Partial<Record<MailJob["mail"], number>> = { PASSWORD_RESET: RESET_LIFETIME, INVITATION: 3 * DAY };

export interface MailServices extends Omit<WritingServices, "baseUrl"> {
  /** Undefined when mail is not configured. */
  mail: { mailer: Mailer; baseUrl: string } | undefined;
  clock: Pick<DatabaseClock, "now">;
  logger: Logger;
}

/** The outcome of a mail: sent, dropped because mail is not configured, given up, or no longer needed. */
export type MailOutcome = "sent" | "dropped" | "given_up" | "unneeded";

/**
 * Sends a mail, or gives it up when it is too old or the server rejects it permanently. Errors that it throws are
 * retried. When the server accepts a mail but its response is lost, the mail is sent twice.
 */
export async function sendMail(
  services: MailServices,
  payload: MailJob,
  { job }: Pick<JobHelpers, "job">,
): Promise<MailOutcome> {
  const { mail: sending, clock, logger } = services;
  const line = { mail: payload.mail, jobId: job.id, ...("shopId" in payload && { shopId: payload.shopId }) };
  if (!sending) {
    logger.info(line, "an email was dropped: SMTP_URL is not set");
    return "dropped";
  }
  if (clock.now().getTime() - job.created_at.getTime() > (oldest[payload.mail] ?? DAY)) {
    logger.error(line, "an email was given up: it is too old");
    return "given_up";
  }
  const mail = await writeMail({ ...services, baseUrl: sending.baseUrl }, payload, job.created_at);
  if (!mail) return "unneeded";
  try {
    await sending.mailer.send(mail);
  } catch (error) {
    if (!(error instanceof MailError && error.isPermanent)) throw error;
    logger.error({ ...line, err: error }, "an email was given up: the server refused it for good");
    return "given_up";
  }
  logger.info(line, "an email was sent");
  return "sent";
}
