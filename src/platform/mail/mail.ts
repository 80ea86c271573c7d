import type { SendMailOptions } from "nodemailer";
import type { Sender } from "./mail-settings.ts";

export interface Mail {
  /** The sender's name in this mail; the configured one by default. */
  fromName?: string;
  to: string;
  subject: string;
  text: string;
  html: string;
}

export interface Mailer {
  /** Resolves when the server has accepted the mail. @throws MailError */
  send: (mail: Mail) => Promise<void>;
}

const LONGEST_NAME = 100;

/** The message for nodemailer. A name that looks like an address is not parsed as one. */
export function messageOf({ fromName, to, ...content }: Mail, from: Sender): SendMailOptions {
  return {
    ...content,
    subject: oneLine(content.subject),
    from: { address: from.address, name: oneLine(fromName ?? from.name).slice(0, LONGEST_NAME) },
    to: { address: to, name: "" },
    envelope: { from: from.address, to: [to] },
    // Suppresses auto-replies (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** A one-line text for a header. Text that looks like an encoded word (RFC 2047) is broken up, so that it isn't decoded. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("=?", "= ?");
}
