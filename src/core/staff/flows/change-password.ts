import { z } from "zod";
import { staffActor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { checkOwnPassword, wrongCurrentPassword } from "./check-password.ts";
import { codeText } from "../second-factor/check-code.ts";
import { startSession, type Login } from "./log-in.ts";
import { hashPassword, newPassword, refuseGuessable } from "../passwords/password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { transactional } from "../../queries/transaction.ts";

const changePasswordSchema = z
  .strictObject({ currentPassword: text({ max: 256 }), newPassword, code: codeText.nullish() })
  .refine((passwords) => passwords.newPassword.normalize("NFC") !== passwords.currentPassword.normalize("NFC"), {
    path: ["newPassword"],
    error: "Must not be the current password",
  });

/**
 * Changes the caller's own password. All of their sessions end; this browser gets a new one.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED when the request has ended its session; INVALID_CREDENTIALS for a
 *   wrong current password; SECOND_FACTOR_REQUIRED; INVALID_SECOND_FACTOR; RATE_LIMITED
 */
export async function changePassword(
  services: AccountServices,
  email: string,
  request: z.input<typeof changePasswordSchema>,
  browser: Browser,
): Promise<Login> {
  const input = parseInput(changePasswordSchema, request);
  // Before the code, which is consumed by the check.
  await refuseGuessable(input.newPassword, email, "newPassword");
  const credentials = { email, password: input.currentPassword, code: input.code };
  const account = await checkOwnPassword(services, credentials, browser);
  const passwordHash = await hashPassword(input.newPassword);
  return transactional(services.em, async (transaction) => {
    if (!(await replacePassword(transaction, account, passwordHash))) throw wrongCurrentPassword();
    await auditInEachShop(
      transaction,
      staffActor(account, browser.origin),
      account,
      AuditAction.MEMBER_PASSWORD_CHANGED,
    );
    return startSession(transaction, { ...account, passwordHash }, browser);
  });
}
