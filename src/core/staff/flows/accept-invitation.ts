import { LockMode } from "@mikro-orm/postgresql";
import { z } from "zod";
import { staffActor } from "../../access/actor.ts";
import { requireOpen } from "../../access/permissions.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { text } from "../../model/text.ts";
import { transactional } from "../../queries/transaction.ts";
import { lockShop } from "../../shops/shops.ts";
import { parseInput } from "../../validation/input.ts";
import { createAccount, findAccount, joinShop } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
import { hashNewPassword, newPassword } from "../accounts/password.ts";
import { findInvitation } from "../invitations/invitations.ts";
import { codeText } from "../second-factor/codes.ts";
import { checkPassword, type Credentials } from "./check-password.ts";
import { startSession, type Login } from "./log-in.ts";

const acceptInvitationSchema = z.strictObject({
  token: text({ max: 256 }),
  password: newPassword,
  code: codeText.nullish(),
});

/**
 * Joins the shop of an invitation and logs in. A new address gets an account with this password. For an existing
 * account, password and code must be correct, and wrong ones count as at a login.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND, the same for every token that cannot be used; INVALID_CREDENTIALS;
 * SECOND_FACTOR_REQUIRED; INVALID_SECOND_FACTOR; RATE_LIMITED; LIMIT_REACHED when the shop has no place; CONFLICT when
 * an account with the address was created concurrently; UNAVAILABLE while the shop is closed
 */
export async function acceptInvitation(
  browser: Browser,
  request: z.input<typeof acceptInvitationSchema>,
): Promise<Login> {
  const { em } = browser;
  const { token, password, code } = parseInput(acceptInvitationSchema, request);
  const { shopId, email } = await findInvitation(em, token, { disableIdentityMap: true });
  const known = await findOwnAccount(browser, { email, password, code });
  const passwordHash = known ? known.passwordHash : await hashNewPassword(password, email);
  return transactional(em, async (transaction) => {
    // In the order used for inviting: the shop before its invitations, to prevent deadlocks.
    requireOpen(await lockShop(transaction, shopId));
    const { role } = await findInvitation(transaction, token, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const account = known ?? (await createAccount(transaction, { email, passwordHash }));
    // Consumes the invitation.
    await joinShop(transaction, shopId, account, role);
    const operation = { em: transaction, shop: { id: shopId }, actor: staffActor(account, browser.origin) };
    const target = { id: account.id, name: account.email };
    const details = { role };
    await recordAudit(operation, { action: AuditAction.INVITATION_ACCEPTED, target, details });
    return startSession(transaction, account, browser);
  });
}

async function findOwnAccount(browser: Browser, credentials: Credentials): Promise<Staff | undefined> {
  if (!(await findAccount(browser.em, credentials.email))) return undefined;
  const account = await checkPassword(browser, credentials);
  if (account) return account;
  const hint = "The invited email address has an account. Use its password.";
  throw new AppError("INVALID_CREDENTIALS", "Incorrect password", { hint });
}
