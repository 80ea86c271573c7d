import { z } from "zod";
import { serverUrl, type ServerUrl } from "../server-url.ts";
import { emailAddress } from "./email-address.ts";

/** The sender of mails. */
export interface Sender {
  name: string;
  address: string;
}

/** An SMTP server. Its default port is 465 with implicit TLS, otherwise 587. */
export interface SmtpServer extends Omit<ServerUrl, "protocol"> {
  /** True for implicit TLS. Otherwise STARTTLS is used if offered, and is required with a password. */
  secure: boolean;
}

/** Where mails go: to a server, or to files for development. */
export type MailSettings = { from: Sender } & (
  | { kind: "smtp"; server: SmtpServer }
  | { kind: "files"; directory: string }
);

const URL_ERROR = "must be smtp://user:password@host:port or smtps://…, with percent-encoded user and password";

export const smtpUrl = serverUrl(/^smtps?$/, URL_ERROR).transform(({ protocol, ...server }): SmtpServer => ({
  ...server,
  secure: protocol === "smtps:",
}));

const SENDER_ERROR = "must be an email address, such as merchant@example.com or Merchant <merchant@example.com>";

export const sender = z.string().transform((text, context): Sender => {
  const [, name = "", inBrackets] = /^([^<>\p{Cc}]*)<([^<>]+)>$/u.exec(text) ?? [];
  const address = emailAddress.safeParse(inBrackets ?? text);
  if (address.success) return { name: name.trim().replace(/^"(.*)"$/, "$1"), address: address.data };
  context.addIssue({ code: "custom", message: SENDER_ERROR });
  return z.NEVER;
});
