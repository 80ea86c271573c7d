import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Actor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { AppError } from "../../model/errors.ts";
import { parseInput } from "../../validation/input.ts";
import { requireAccount } from "../accounts/account.ts";
import { hashNewPassword, newPassword } from "../passwords/password.ts";
import { replacePassword } from "../passwords/replace-password.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { transactional } from "../../queries/transaction.ts";

const setPasswordSchema = z.strictObject({ email: z.string(), password: newPassword });

/**
 * Sets a new password of an account and ends all of its sessions.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function setPassword(
  em: EntityManager,
  actor: Actor,
  request: z.input<typeof setPasswordSchema>,
): Promise<void> {
  const { email, password } = parseInput(setPasswordSchema, request);
  const passwordHash = await hashNewPassword(password, email);
  await transactional(em, async (transaction) => {
    const account = await requireAccount(transaction, email);
    if (!(await replacePassword(transaction, account, passwordHash))) {
      throw new AppError("CONFLICT", "The password was changed at the same time", { hint: "Try again." });
    }
    // The operator, who knows the password, could log in with it.
    await auditInEachShop(transaction, actor, account, AuditAction.MEMBER_PASSWORD_SET);
  });
}
