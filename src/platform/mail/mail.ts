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
  /** Settles when the mail has been taken. @throws MailError */
  send: (mail: Mail) => Promise<void>;
}

const LONGEST_NAME = 100;

/** The message for nodemailer. Addresses are not parsed from text: a name that looks like one remains a name. */
export function messageOf({ fromName, to, ...content }: Mail, from: Sender): SendMailOptions {
  return {
    ...content,
    subject: oneLine(content.subject),
    from: { address: from.address, name: oneLine(fromName ?? from.name).slice(0, LONGEST_NAME) },
    to: { address: to, name: "" },
    envelope: { from: from.address, to: [to] },
    // Nobody's absence notice answers it (RFC 3834).
    headers: { "Auto-Submitted": "auto-generated" },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Text for a header. Of what looks encoded (RFC 2047), readers would make what it was not. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").replaceAll("=?", "= ?");
}
