import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError, unauthenticated } from "../../errors.ts";
import { parseInput, text } from "../../validation/input.ts";
import { checkOwnPassword, type Browser } from "./check-password.ts";
import { enter, type Login } from "../sessions/log-in.ts";
import { hashNewPassword, newPassword } from "./password.ts";
import { replacePassword } from "./replace-password.ts";

const changePasswordSchema = z
  .strictObject({ currentPassword: text({ max: 256 }), newPassword })
  .refine((passwords) => passwords.newPassword.normalize("NFC") !== passwords.currentPassword.normalize("NFC"), {
    path: ["newPassword"],
    error: "Must not be the current password",
  });

/**
 * Changes somebody's own password. All their sessions end; this browser gets a new one.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED when the request has ended its session; INVALID_CREDENTIALS for a
 *   wrong current password; RATE_LIMITED
 */
export async function changePassword(
  em: EntityManager,
  email: string,
  request: z.input<typeof changePasswordSchema>,
  browser: Browser,
): Promise<Login> {
  const input = parseInput(changePasswordSchema, request);
  const { sessionToken, report } = browser;
  if (sessionToken === undefined) throw unauthenticated();
  const credentials = { email, password: input.currentPassword };
  const account = await checkOwnPassword(em, credentials, { sessionToken, report });
  if (!account) throw wrongCurrentPassword();
  const passwordHash = await hashNewPassword(input.newPassword, email, "newPassword");
  return em.transactional(async (transaction) => {
    if (!(await replacePassword(transaction, account, passwordHash))) throw wrongCurrentPassword();
    return enter(transaction, { ...account, passwordHash }, browser);
  });
}

function wrongCurrentPassword(): AppError {
  return new AppError("INVALID_CREDENTIALS", "Current password is wrong");
}
