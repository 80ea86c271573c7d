import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTransport, type SendMailOptions, type NodemailerError } from "nodemailer";
import type { Logger } from "../telemetry/logger.ts";
import { cut, oneLine } from "../texts.ts";
import type { MailSettings, Sender, SmtpServer } from "./mail-settings.ts";

export function createMailer(settings: MailSettings, logger: Logger): Mailer {
  return settings.kind === "smtp"
    ? createSmtpMailer(settings.server, settings.from)
    : createFileMailer(settings.directory, settings.from, logger);
}

export interface Mail {
  /** The sender's name in this mail; the configured one by default. */
  fromName?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Returns the answer of the server that has accepted the mail, or the written file. @throws MailError */
  send: (mail: Mail) => Promise<string>;
}

const LONGEST_NAME = 100;

/** The message for nodemailer. A name that looks like an address is not parsed as one. */
export function messageOf({ fromName, to, ...content }: Mail, from: Sender): SendMailOptions {
  return {
    ...content,
    subject: header(content.subject),
    from: { address: from.address, name: cut(header(fromName ?? from.name), LONGEST_NAME) },
    to: { address: to, name: "" },
    envelope: { from: from.address, to: [to] },
    // Suppresses auto-replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A one-line text for a header. Text that looks like an encoded word (RFC 2047) is broken up, so that it isn't decoded. */
function header(text: string): string {
  return oneLine(text).replaceAll("=?", "= ?");
}

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
      return file;
    },
  };
}

/** The timeout of a mail in milliseconds, shorter than that of a shutdown. */
const DEADLINE = 20_000;

/** Sends mails by SMTP, each on its own connection. Connecting, and each silence of the server, may take half of the deadline. */
export function createSmtpMailer(server: SmtpServer, from: Sender, deadline = DEADLINE): Mailer {
  const transport = createSmtpTransport(server, {}, deadline);
  return {
    send: async (mail) => {
      try {
        // Limits the total time, even if the server sends single bytes.
        const message = { ...messageOf(mail, from), signal: AbortSignal.timeout(deadline) };
        return (await transport.sendMail(message)).response;
      } catch (error) {
        throw new MailError(error as NodemailerError);
      }
    },
  };
}

/** Creates a transport with options for TLS, without connecting. */
export function createSmtpTransport({ host, port, secure, auth }: SmtpServer, tls: object, deadline = DEADLINE) {
  return createTransport({
    host,
    port,
    secure,
    auth,
    tls,
    requireTLS: auth !== undefined && !secure,
    connectionTimeout: deadline / 2,
    dnsTimeout: deadline / 2,
    greetingTimeout: deadline / 2,
    socketTimeout: deadline / 2,
  });
}

/** An error of sending a mail. Its message has no text of the server, which may contain the address. */
export class MailError extends Error {
  /** True when the server will never accept this mail. Other errors may be temporary. */
  readonly isPermanent: boolean;
  /** Private, so that it is not logged. */
  readonly #answer: string;

  constructor({ code, originalCode, command, responseCode, permanent = false, response, message }: NodemailerError) {
    const parts = [code, originalCode, command, responseCode].filter((part) => part !== undefined);
    super(`The email was not accepted: ${parts.join(" ")}`);
    this.name = "MailError";
    this.isPermanent = permanent && (command === "RCPT TO" || command === "DATA");
    this.#answer = response ?? message;
  }

  /** The text of the server, or why it could not be reached. */
  get answer(): string {
    return this.#answer;
  }
}
