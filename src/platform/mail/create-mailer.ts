import type { Logger } from "../telemetry/logger.ts";
import { createFileMailer } from "./file-mailer.ts";
import type { Mailer } from "./mail.ts";
import type { MailSettings } from "./mail-settings.ts";
import { createSmtpMailer } from "./smtp-mailer.ts";

export function createMailer(settings: MailSettings, logger: Logger): Mailer {
  return settings.kind === "smtp"
    ? createSmtpMailer(settings.server, settings.from)
    : createFileMailer(settings.directory, settings.from, logger);
}
