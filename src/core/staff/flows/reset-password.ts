import { LockMode, sql, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { staffActor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { AppError } from "../../model/errors.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { digestToken } from "../accounts/token.ts";
import { hashNewPassword, newPassword } from "../passwords/password.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { transactional } from "../../queries/transaction.ts";

const resetSchema = z.strictObject({ token: text({ max: 256 }), password: newPassword });

/**
 * Sets a new password with the token of a mail, which consumes all tokens of the account. All sessions end, and none is
 * opened. Returns the account.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND, the same for every token that cannot be used
 */
export async function resetPassword(
  em: EntityManager,
  request: z.input<typeof resetSchema>,
  origin: Origin,
): Promise<Staff> {
  const { token, password } = parseInput(resetSchema, request);
  const { staff } = await findReset(em, token);
  const passwordHash = await hashNewPassword(password, staff.email);
  return transactional(em, async (transaction) => {
    // In the order of password changes: the account before its tokens, to prevent deadlocks.
    const locked = { populate: ["passwordHash"], lockMode: LockMode.PESSIMISTIC_WRITE } as const;
    const account = await transaction.findOneOrFail(Staff, { id: staff.id }, locked);
    await findReset(transaction, token);
    await replacePassword(transaction, account, passwordHash);
    await auditInEachShop(transaction, staffActor(account, origin), account, AuditAction.MEMBER_PASSWORD_RESET);
    return account;
  });
}

async function findReset(em: EntityManager, token: string): Promise<PasswordReset> {
  const valid = { tokenDigest: digestToken(token), expiresAt: { $gt: sql.now() }, staff: { disabledAt: null } };
  const reset = await em.findOne(PasswordReset, valid, { populate: ["staff"], disableIdentityMap: true });
  if (reset) return reset;
  const hint = "It may have expired or been used, or the password was changed. Request a new email.";
  throw new AppError("NOT_FOUND", "Token not found", { hint });
}
