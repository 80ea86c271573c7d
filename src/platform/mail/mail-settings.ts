import { z } from "zod";
import { emailAddress } from "./email-address.ts";

/** The sender of mails. */
export interface Sender {
  name: string;
  address: string;
}

/** An SMTP server. */
export interface SmtpServer {
  host: string;
  /** The default is 465 with implicit TLS, otherwise 587. */
  port: number | undefined;
  /** True for implicit TLS. Otherwise STARTTLS is used if offered, and is required with a password. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

/** Where mails go: to a server, or to files for development. */
export type MailSettings = { from: Sender } & (
  | { kind: "smtp"; server: SmtpServer }
  | { kind: "files"; directory: string }
);

const URL_ERROR = "must be smtp://user:password@host:port or smtps://…, with percent-encoded user and password";

export const smtpUrl = z.url({ protocol: /^smtps?$/, error: URL_ERROR }).transform((text, context): SmtpServer => {
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text);
  const [user, pass] = [decode(username), decode(password)];
  const isMore = search !== "" || hash !== "" || !["", "/"].includes(pathname);
  if (hostname === "" || isMore || user === undefined || pass === undefined) {
    context.addIssue({ code: "custom", message: URL_ERROR });
    return z.NEVER;
  }
  return {
    host: hostname.replace(/^\[(.*)\]$/, "$1"),
    port: port === "" ? undefined : Number(port),
    secure: protocol === "smtps:",
    auth: user === "" ? undefined : { user, pass },
  };
});

function decode(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

const SENDER_ERROR = "must be an email address, such as merchant@example.com or Merchant <merchant@example.com>";

export const sender = z.string().transform((text, context): Sender => {
  const [, name = "", inBrackets] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = emailAddress.safeParse(inBrackets ?? text);
  if (address.success) return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.data };
  context.addIssue({ code: "custom", message: SENDER_ERROR });
  return z.NEVER;
});
