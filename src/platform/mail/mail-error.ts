import type { NodemailerError } from "nodemailer";

/** An error of sending a mail, without the server's message, which may contain the address. */
export class MailError extends Error {
  /** True when the server will never accept this mail. Other errors may be temporary. */
  readonly isPermanent: boolean;

  constructor({ code, originalCode, command, responseCode, permanent = false }: NodemailerError) {
    const parts = [code, originalCode, command, responseCode].filter((part) => part !== undefined);
    super(`The email was not accepted: ${parts.join(" ")}`);
    this.name = "MailError";
    this.isPermanent = permanent && (command === "RCPT TO" || command === "DATA");
  }
}
