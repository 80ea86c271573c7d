import { createTransport, type NodemailerError } from "nodemailer";
import { MailError } from "./mail-error.ts";
import type { Sender, SmtpServer } from "./mail-settings.ts";
import { messageOf, type Mailer } from "./mail.ts";

/** The time that a mail may take, whatever the server does. Less than a stop waits for. Milliseconds. */
const DEADLINE = 20_000;

/** Gives mails to a server, each on a connection of its own. Half of the deadline is for the connection and each silence. */
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
        // A server that sends a byte now and then is never silent for long.
        await transport.sendMail({ ...messageOf(mail, from), signal: AbortSignal.timeout(deadline) });
      } catch (error) {
        throw new MailError(error as NodemailerError);
      }
    },
  };
}
