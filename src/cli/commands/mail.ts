import { readConfig } from "../../config.ts";
import { OperatorError } from "../../platform/errors.ts";
import { emailAddress } from "../../platform/mail/email-address.ts";
import { renderLetter } from "../../platform/mail/letter.ts";
import type { MailSettings } from "../../platform/mail/mail-settings.ts";
import { createMailer, MailError } from "../../platform/mail/mailer.ts";
import { createLogger } from "../../platform/telemetry/logger.ts";
import { printRow, type OutputOptions } from "../output.ts";

/** Sends a test email and prints the server's answer. The exit code is 1 if it was not accepted. */
export async function testMail({ to, ...output }: OutputOptions & { to: string }): Promise<void> {
  const { isAccepted, answer } = await sendTestMail(readConfig(process.env, "mail").mail, to);
  printRow({ to, isAccepted, answer }, output);
  if (!isAccepted) process.exitCode = 1;
}

/** Sends a test email. Returns the server's answer, or the written file. @throws OperatorError */
export async function sendTestMail(mail: MailSettings | undefined, to: string) {
  const address = emailAddress.safeParse(to);
  if (!address.success) throw new OperatorError(`${to}: ${address.error.issues[0]!.message}`);
  if (!mail) throw new OperatorError("No email is sent, because SMTP_URL is not set");
  const letter = renderLetter({
    subject: "Test email of Merchant API",
    paragraphs: ["Merchant API can send emails to you."],
    footer: "An operator of Merchant API sent this email to test the mail server.",
  });
  try {
    const answer = await createMailer(mail, createLogger("silent")).send({ to: address.data, ...letter });
    return { isAccepted: true, answer };
  } catch (error) {
    if (error instanceof MailError) return { isAccepted: false, answer: error.answer };
    throw error;
  }
}
