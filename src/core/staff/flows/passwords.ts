import { LockMode, sql, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { Actor } from "../../access/actor.ts";
import type { CoreServices, Origin } from "../../context.ts";
import { AppError } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { text } from "../../model/text.ts";
import { sendReset, notifyAccount } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { parseInput } from "../../validation/input.ts";
import { auditInEachShop, auditOwnChange, hasAddress, requireAccount } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
import { hashPassword, newPassword, refuseGuessable, hashNewPassword } from "../accounts/password.ts";
import { digestToken, generateToken } from "../accounts/token.ts";
import { codeText } from "../second-factor/codes.ts";
import { endSessions } from "../sessions/sessions.ts";
import { countReset } from "../throttle/mail-throttle.ts";
import { checkOwnPassword, wrongCurrentPassword } from "./check-password.ts";
import { startSession, type Login } from "./log-in.ts";

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
  browser: Browser,
  email: string,
  request: z.input<typeof changePasswordSchema>,
): Promise<Login> {
  const input = parseInput(changePasswordSchema, request);
  // Before the code, which is consumed by the check.
  await refuseGuessable(input.newPassword, email, "newPassword");
  const credentials = { email, password: input.currentPassword, code: input.code };
  const account = await checkOwnPassword(browser, credentials);
  const passwordHash = await hashPassword(input.newPassword);
  return transactional(browser.em, async (transaction) => {
    if (!(await replacePassword(transaction, account, passwordHash))) throw wrongCurrentPassword();
    await auditOwnChange(transaction, browser.origin, account, AuditAction.MEMBER_PASSWORD_CHANGED);
    return startSession(transaction, { ...account, passwordHash }, browser);
  });
}

/** The lifetime of a reset token: half an hour. Milliseconds. */
export const RESET_LIFETIME = 30 * 60_000;

const requestSchema = z.strictObject({ email: text({ max: 254 }) });

/**
 * Requests a mail to reset a password. It does the same work and takes as long for an unknown address: a job is added
 * in any case, only in another queue.
 *
 * @throws AppError VALIDATION_FAILED; FORBIDDEN when no mail is configured; RATE_LIMITED
 */
export async function requestPasswordReset(
  { em, sendsMail }: Pick<CoreServices, "sendsMail"> & { em: EntityManager },
  request: z.input<typeof requestSchema>,
  address: string | null,
): Promise<void> {
  const { email } = parseInput(requestSchema, request);
  if (!sendsMail) {
    const hint = "Ask the operator of this service to set a new password.";
    throw new AppError("FORBIDDEN", "This service does not send email", { hint });
  }
  const isKnown = (await em.fork().count(Staff, enabledAccount(email))) > 0;
  if (await countReset(em, { email, address, isKnown })) await sendReset(em, email, isKnown);
}

/**
 * Creates a token to reset the password of the account with this address. Undefined when there is none, or it is
 * disabled. Earlier tokens stay valid, so that a repeated mail does not invalidate the first.
 */
export async function issueResetToken(em: EntityManager, email: string): Promise<string | undefined> {
  return transactional(em, async (transaction) => {
    // Changes of the password, which end all tokens, run entirely before or after this.
    const staff = await transaction.findOne(Staff, enabledAccount(email), { lockMode: LockMode.PESSIMISTIC_READ });
    if (!staff) return undefined;
    const token = generateToken();
    const expiresAt = new Date((await databaseTime(transaction)).getTime() + RESET_LIFETIME);
    await transaction.insert(PasswordReset, { tokenDigest: digestToken(token), staff: staff.id, expiresAt });
    return token;
  });
}

const enabledAccount = (email: string) => ({ ...hasAddress(email), disabledAt: null });

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
    await auditOwnChange(transaction, origin, account, AuditAction.MEMBER_PASSWORD_RESET);
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

/**
 * Replaces the password, ends all sessions and reset tokens, and mails the owner. Returns false when the password has
 * changed since it was read.
 */
async function replacePassword(em: EntityManager, { id, passwordHash }: Staff, replacement: string): Promise<boolean> {
  const replaced = await em.nativeUpdate(Staff, { id, passwordHash }, { passwordHash: replacement });
  if (replaced === 0) return false;
  // After the update, which blocks new sessions and tokens until the commit.
  await endSessions(em, id);
  await em.nativeDelete(PasswordReset, { staff: id });
  await notifyAccount(em, id, "PASSWORD_CHANGED");
  return true;
}
