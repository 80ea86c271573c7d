import { sql, LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { staffActor, type Actor } from "../../access/actor.ts";
import { AppError } from "../../model/errors.ts";
import type { Caller } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { SecondFactor, RecoveryCode } from "../../model/staff/second-factor.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { text } from "../../model/text.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { parseInput } from "../../validation/input.ts";
import { auditInEachShop, auditOwnChange, lockAccount } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
import { acceptAppCode, codeText, refuseCode, replaceRecoveryCodes } from "../second-factor/codes.ts";
import { factorOwner, generateTotpSecret, totpUri } from "../second-factor/totp.ts";
import { endSessions } from "../sessions/sessions.ts";
import { checkOwnPassword } from "./check-password.ts";

/** The time to confirm it: a quarter of an hour. Milliseconds. */
const PENDING_LIFETIME = 15 * 60_000;

const beginSecondFactorSchema = z.strictObject({ password: text({ max: 256 }) });

/**
 * Creates the secret of an authenticator app, which is shown only once and must be confirmed within a quarter of an
 * hour. Replaces an unconfirmed one.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; RATE_LIMITED; INVALID_STATE when a second
 *   factor is on
 */
export async function beginSecondFactor(
  browser: Browser,
  { id, name: email, hasSecondFactor }: Caller,
  request: z.input<typeof beginSecondFactorSchema>,
): Promise<{ secret: string; uri: string }> {
  const { password } = parseInput(beginSecondFactorSchema, request);
  if (hasSecondFactor) throw isOnAlready();
  await checkOwnPassword(browser, { email, password });
  const secret = generateTotpSecret();
  const sealedSecret = browser.encryption.seal(secret, factorOwner(id));
  await transactional(browser.em, async (transaction) => {
    await lockFactor(transaction, id, { isOn: false });
    const expiresAt = new Date((await databaseTime(transaction)).getTime() + PENDING_LIFETIME);
    await transaction.upsert(SecondFactor, { staff: id, sealedSecret, lastStep: 0, wrongCodes: 0, expiresAt });
  });
  browser.report("second_factor_begun", email);
  return { secret, uri: totpUri(secret, email) };
}

const confirmSecondFactorSchema = z.strictObject({ code: codeText });

/**
 * Turns on the second factor with a code of the prepared app. Other sessions end, because they were opened with the
 * password alone. Returns the recovery codes, which are not stored.
 *
 * @throws AppError VALIDATION_FAILED; INVALID_STATE when one is already on, or none was begun in the last quarter of an
 *   hour; INVALID_SECOND_FACTOR
 */
export async function confirmSecondFactor(
  browser: Browser,
  { id, name: email }: Caller,
  request: z.input<typeof confirmSecondFactorSchema>,
): Promise<string[]> {
  const { code } = parseInput(confirmSecondFactorSchema, request);
  const recoveryCodes = await transactional(browser.em, async (transaction) => {
    await lockFactor(transaction, id, { isOn: false });
    await requirePending(transaction, id);
    // The commit counts a wrong code, so this must not throw.
    if (!(await acceptAppCode({ ...browser, em: transaction }, id, code))) return undefined;
    await transaction.nativeUpdate(SecondFactor, { staff: id }, { expiresAt: null });
    await transaction.nativeUpdate(Staff, { id }, { secondFactorAt: await databaseTime(transaction) });
    await endSessions(transaction, id, browser.sessionToken);
    await auditOwnChange(transaction, browser.origin, { id, email }, AuditAction.MEMBER_SECOND_FACTOR_ENABLED);
    return replaceRecoveryCodes(transaction, id);
  });
  if (!recoveryCodes) throw refuseCode(browser, email);
  browser.report("second_factor_enabled", email);
  return recoveryCodes;
}

async function requirePending(em: EntityManager, staff: string): Promise<void> {
  if ((await em.count(SecondFactor, { staff, expiresAt: { $gt: sql.now() } })) > 0) return;
  const hint = "Call beginSecondFactor, and set up the app with the new secret.";
  throw new AppError("INVALID_STATE", "No two-factor setup was started in the last 15 minutes", { hint });
}

/** The proofs required to change a second factor that is on. */
const proofSchema = z.strictObject({ password: text({ max: 256 }), code: codeText });

/**
 * Turns off the caller's own second factor.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; INVALID_SECOND_FACTOR; RATE_LIMITED;
 *   INVALID_STATE when there is none
 */
export async function disableSecondFactor(
  browser: Browser,
  email: string,
  request: z.input<typeof proofSchema>,
): Promise<void> {
  const account = await checkOwnPassword(browser, { email, ...parseInput(proofSchema, request) });
  await transactional(browser.em, (transaction) => remove(transaction, staffActor(account, browser.origin), account));
  browser.report("second_factor_disabled", email);
}

/**
 * Turns off a lost second factor of an account. All of its sessions end. Returns their number.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE when there is none
 */
export async function resetSecondFactor(
  em: EntityManager,
  actor: Actor,
  email: string,
): Promise<{ account: Staff; sessions: number }> {
  return transactional(em, async (transaction) => {
    const account = await lockAccount(transaction, email);
    await remove(transaction, actor, account);
    return { account, sessions: await endSessions(transaction, account.id) };
  });
}

async function remove(em: EntityManager, actor: Actor, account: Staff): Promise<void> {
  const { id } = account;
  await lockFactor(em, id, { isOn: true });
  await em.nativeUpdate(Staff, { id }, { secondFactorAt: null });
  // In the order of using a recovery code, to prevent deadlocks.
  await em.nativeDelete(RecoveryCode, { staff: id });
  await em.nativeDelete(SecondFactor, { staff: id });
  await auditInEachShop(em, actor, account, AuditAction.MEMBER_SECOND_FACTOR_DISABLED);
}

/**
 * Replaces the caller's recovery codes. Earlier ones stop working.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; INVALID_SECOND_FACTOR; RATE_LIMITED;
 *   INVALID_STATE when there is no second factor
 */
export async function regenerateRecoveryCodes(
  browser: Browser,
  email: string,
  request: z.input<typeof proofSchema>,
): Promise<string[]> {
  const account = await checkOwnPassword(browser, { email, ...parseInput(proofSchema, request) });
  const codes = await transactional(browser.em, async (transaction) => {
    await lockFactor(transaction, account.id, { isOn: true });
    await auditOwnChange(transaction, browser.origin, account, AuditAction.MEMBER_RECOVERY_CODES_REPLACED);
    return replaceRecoveryCodes(transaction, account.id);
  });
  browser.report("recovery_codes_replaced", email);
  return codes;
}

/**
 * Locks an account until the transaction ends, so that its second factor can change without concurrent logins or
 * changes.
 *
 * @throws AppError INVALID_STATE when the factor is not on, or off, as required
 */
async function lockFactor(em: EntityManager, id: string, { isOn }: { isOn: boolean }): Promise<void> {
  const { secondFactorAt } = await em.findOneOrFail(Staff, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (isOn && secondFactorAt === null) throw new AppError("INVALID_STATE", "Two-factor authentication is not on");
  if (!isOn && secondFactorAt !== null) throw isOnAlready();
}

/** The error for callers who must begin again. */
function isOnAlready(): AppError {
  return new AppError("INVALID_STATE", "Two-factor authentication is already on", { hint: "Turn it off first." });
}
