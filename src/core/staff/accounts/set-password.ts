import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../errors.ts";
import { parseInput } from "../../validation/input.ts";
import { findAccount } from "./account.ts";
import { hashPassword, newPassword } from "./password.ts";
import { replacePassword } from "./replace-password.ts";
import { Membership, type Staff } from "./staff.entity.ts";

const setPasswordSchema = z.strictObject({ email: z.string(), password: newPassword });

/**
 * Sets the password of somebody who forgot theirs. All their sessions end.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND
 */
export async function setPassword(
  em: EntityManager,
  author: Author,
  request: z.input<typeof setPasswordSchema>,
): Promise<void> {
  const { email, password } = parseInput(setPasswordSchema, request);
  const passwordHash = await hashPassword(password);
  await em.transactional(async (transaction) => {
    const account = await findAccount(transaction, email);
    if (!account) throw new AppError("NOT_FOUND", "Nobody has this e-mail address");
    if (!(await replacePassword(transaction, account, passwordHash))) {
      throw new AppError("CONFLICT", "The password was changed at the same moment", { hint: "Try again." });
    }
    await tellShops(transaction, author, account);
  });
}

/** Whoever set the password could log in with it: each shop of the account hears of it. */
async function tellShops(em: EntityManager, author: Author, { id, email }: Staff): Promise<void> {
  const memberships = await em.find(Membership, { staff: id }, { disableIdentityMap: true });
  const entry = { action: AuditAction.MEMBER_PASSWORD_SET, target: { id, name: email } };
  for (const { shopId } of memberships) await recordAudit(em, shopId, author, entry);
}
