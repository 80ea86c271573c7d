import { z } from "zod";
import { emailAddress } from "./email-address.ts";

/** Whom mails are from. */
export interface Sender {
  name: string;
  address: string;
}

/** A server that takes mails. */
export interface SmtpServer {
  host: string;
  /** 465 where TLS comes first, otherwise 587, by default. */
  port: number | undefined;
  /** True when TLS comes first. Otherwise it begins when the server offers it, and must before a password is sent. */
  secure: boolean;
  auth: { user: string; pass: string } | undefined;
}

/** The target of mails: a server, or files for development. */
export type MailSettings = { from: Sender } & (
  | { kind: "smtp"; server: SmtpServer }
  | { kind: "files"; directory: string }
);

const URL_ERROR = "must be smtp://user:password@host:port or smtps://…, with a percent-encoded user name and password";

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
