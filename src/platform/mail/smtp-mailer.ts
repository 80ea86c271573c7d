import { createTransport, type NodemailerError } from "nodemailer";
import { MailError } from "./mail-error.ts";
import type { Sender, SmtpServer } from "./mail-settings.ts";
import { messageOf, type Mailer } from "./mail.ts";

/** The timeout of a mail in milliseconds, shorter than that of a shutdown. */
const DEADLINE = 20_000;

/** Sends mails by SMTP, each on its own connection. Connecting, and each silence of the server, may take half of the deadline. */
export function createSmtpMailer({ host, port, secure, auth }: SmtpServer, from: Sender, deadline = DEADLINE): Mailer {
  const transport = createTransport({
    host,
    port,
    secure,
    auth,
    requireTLS: auth !== undefined && !secure,
    connectionTimeout: deadline / 2,
    dnsTimeout: deadline / 2,
    greetingTimeout: deadline / 2,
    socketTimeout: deadline / 2,
  });
  return {
    send: async (mail) => {
      try {
        // Limits the total time, even if the server sends single bytes.
        await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(deadline) });
      } catch (error) {
        throw new MailError(error as NodemailerError);
      }
    },
  };
}
