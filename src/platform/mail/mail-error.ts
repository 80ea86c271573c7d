import type { NodemailerError } from "nodemailer";

/** The reason why a mail was not taken, without the server's words, which may repeat the address. */
export class MailError extends Error {
  /** True when the server will never take this mail; what it has against us may pass. */
  readonly isPermanent: boolean;

  constructor({ code, originalCode, command, responseCode, permanent = false }: NodemailerError) {
    const parts = [code, originalCode, command, responseCode].filter((part) => part !== undefined);
    super(`The email was not accepted: ${parts.join(" ")}`);
    this.name = "MailError";
    this.isPermanent = permanent && (command === "RCPT TO" || command === "DATA");
  }
}
