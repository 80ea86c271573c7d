import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { Secret } from "otpauth";
import { AppError } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { SecondFactor, RecoveryCode } from "../../model/staff/second-factor.entity.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { text } from "../../model/text.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { auditOwnChange } from "../accounts/account.ts";
import type { AccountServices, Browser } from "../accounts/caller.ts";
import { digestToken } from "../accounts/token.ts";
import { factorOwner, findStep } from "./totp.ts";

/** A code as people type it: in groups, in upper or lower case. */
export const codeText = text({ max: 64 }).transform((code) => code.replace(/[\s-]/g, "").toLowerCase());

/**
 * Checks the code after a correct password, and returns the error if the account requires one and it is missing or
 * wrong.
 */
export async function checkCode(
  browser: Browser,
  account: Staff,
  code: string | null | undefined,
): Promise<AppError | undefined> {
  if (account.secondFactorAt === null) return undefined;
  if (code == null) {
    browser.report("second_factor_asked", account.email);
    const hint = "Also send a code from your authenticator app, or a recovery code.";
    return new AppError("SECOND_FACTOR_REQUIRED", "This account uses two-factor authentication", { hint });
  }
  return (await acceptCode(browser, account, code)) ? undefined : refuseCode(browser, account.email);
}

/** The error for a refused code, which is logged. */
export function refuseCode({ report }: Browser, email: string): AppError {
  report("second_factor_refused", email);
  const hint = "Each code works once. After a hundred wrong codes in a row, only recovery codes work.";
  return new AppError("INVALID_SECOND_FACTOR", "The code is incorrect or was already used", { hint });
}

/**
 * Consecutive wrong codes after which the app's codes are no longer accepted, so that someone with the password cannot
 * find one in a million by patience. Recovery codes are still accepted, and reset the count.
 */
const MAX_WRONG_CODES = 100;

/** Consumes a code of the account's app, or a recovery code. Returns false when it is wrong or was used before. */
function acceptCode(browser: Browser, account: Staff, code: string): Promise<boolean> {
  const isOfApp = /^\d{6}$/.test(code);
  return isOfApp ? acceptAppCode(browser, account.id, code) : acceptRecoveryCode(browser, account, code);
}

/** Consumes a code of the app, which may be unconfirmed. Returns false when it is wrong or was used before. */
export async function acceptAppCode(
  { em, encryption }: AccountServices,
  staffId: string,
  code: string,
): Promise<boolean> {
  // Counted before the check, so that concurrent guesses count too.
  const countable = { staff: staffId, wrongCodes: { $lt: MAX_WRONG_CODES } };
  if ((await em.nativeUpdate(SecondFactor, countable, { wrongCodes: raw("wrong_codes + 1") })) === 0) return false;
  const factor = await em.findOneOrFail(SecondFactor, { staff: staffId }, { disableIdentityMap: true });
  const secret = encryption.open(factor.sealedSecret, factorOwner(staffId));
  const step = findStep(secret, code, await databaseTime(em));
  if (step === undefined) return false;
  // A single conditional statement: of concurrent uses of one code, only one succeeds.
  const unused = { staff: staffId, lastStep: { $lt: step } };
  return (await em.nativeUpdate(SecondFactor, unused, { lastStep: step, wrongCodes: 0 })) > 0;
}

async function acceptRecoveryCode({ em, origin, report }: Browser, account: Staff, code: string): Promise<boolean> {
  const isSpent = await transactional(em, async (transaction) => {
    const spent = { staff: account.id, codeDigest: digestToken(code) };
    if ((await transaction.nativeDelete(RecoveryCode, spent)) === 0) return false;
    await transaction.nativeUpdate(SecondFactor, { staff: account.id }, { wrongCodes: 0 });
    await auditOwnChange(transaction, origin, account, AuditAction.MEMBER_RECOVERY_CODE_USED);
    return true;
  });
  if (isSpent) report("recovery_code_used", account.email);
  return isSpent;
}

const COUNT = 10;
/** 80 random bits cannot be guessed, so a fast hash is sufficient. */
const BYTES = 10;

/** Replaces the recovery codes of an account. Only their digests are stored. */
export async function replaceRecoveryCodes(em: EntityManager, staffId: string): Promise<string[]> {
  const codes = Array.from({ length: COUNT }, () => new Secret({ size: BYTES }).base32.toLowerCase());
  await em.nativeDelete(RecoveryCode, { staff: staffId });
  await em.insertMany(
    RecoveryCode,
    codes.map((code) => ({ staff: staffId, codeDigest: digestToken(code) })),
  );
  return codes.map((code) => code.match(/.{4}/g)!.join("-"));
}
