import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport } from "nodemailer";
import type { Logger } from "../telemetry/logger.ts";
import type { Sender } from "./mail-settings.ts";
import { messageOf, type Mailer } from "./mail.ts";

/** Writes mails to files for development, readable only by their owner because they can contain tokens. Names sort by time. */
export function createFileMailer(directory: string, from: Sender, logger: Logger): Mailer {
  const composer = createTransport({ streamTransport: true, buffer: true });
  return {
    send: async (mail) => {
      const { message } = await composer.sendMail(messageOf(mail, from));
      await mkdir(directory, { recursive: true, mode: 0o700 });
      const file = join(directory, `${new Date().toISOString().replaceAll(":", "-")}-${randomUUID()}.eml`);
      await writeFile(file, message, { mode: 0o600 });
      logger.info({ file }, "an email was written");
    },
  };
}
