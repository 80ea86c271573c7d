import { randomBytes } from "node:crypto";
import { AppError, unauthenticated } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { findAccount } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
import { hashPassword, isPasswordHash, verifyPassword } from "../accounts/password.ts";
import { digestToken } from "../accounts/token.ts";
import { checkCode } from "../second-factor/codes.ts";
import { countGuess } from "../sessions/known-device.ts";
import { queueLoginFailure } from "../throttle/login-failures.sql.ts";
import { countAttempt, type Attempt } from "../throttle/login-throttle.ts";

export interface Credentials {
  email: string;
  password: string;
  /** A code of the second factor, if there is one. */
  code?: string | null;
}

// Verified for unknown addresses and unusable hashes, so that all answers take the same time.
const decoyHash = hashPassword(randomBytes(16).toString("hex"));

/**
 * Returns the account with this address if it is enabled and the password is correct. Without the correct password, the
 * answer does not reveal a second factor.
 *
 * @throws AppError SECOND_FACTOR_REQUIRED or INVALID_SECOND_FACTOR when the password is correct; RATE_LIMITED after too
 *   many wrong passwords or codes
 */
export async function checkPassword(browser: Browser, credentials: Credentials): Promise<Staff | undefined> {
  return verify(browser, credentials, await countGuess(browser.em, credentials.email, browser.deviceToken));
}

/**
 * Returns the account of the open session if the password is correct. Attempts count for the session alone, not for
 * its address.
 *
 * @throws AppError UNAUTHENTICATED when the request has ended its session; INVALID_CREDENTIALS; SECOND_FACTOR_REQUIRED;
 *   INVALID_SECOND_FACTOR; RATE_LIMITED after too many wrong ones
 */
export async function checkOwnPassword(browser: Browser, credentials: Credentials): Promise<Staff> {
  if (browser.sessionToken === undefined) throw unauthenticated();
  const account = await verify(browser, credentials, digestToken(browser.sessionToken));
  if (!account) throw wrongCurrentPassword();
  return account;
}

/** The error within a session. */
export function wrongCurrentPassword(): AppError {
  return new AppError("INVALID_CREDENTIALS", "Incorrect current password");
}

async function verify(
  browser: Browser,
  { email, password, code }: Credentials,
  known: Attempt["known"],
): Promise<Staff | undefined> {
  const { em, origin, report } = browser;
  const takeBack = await countAttempt(em, { email, origin, known }).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "RATE_LIMITED") report("login_locked_out", email);
    throw error;
  });
  const account = await findAccount(em, email);
  const isUsable = !account || isPasswordHash(account.passwordHash);
  const matches = await verifyPassword(password, account && isUsable ? account.passwordHash : await decoyHash);
  // A correct password for a disabled account counts and is answered like a wrong one, so that a thief learns nothing.
  if (!account || !matches || account.disabledAt) {
    report(isUsable ? "login_refused" : "password_hash_refused", email);
    await queueLoginFailure(em, AuditAction.MEMBER_LOGIN_REFUSED, { email, origin });
    return undefined;
  }
  const refusal = await checkCode(browser, account, code);
  if (refusal?.code === "INVALID_SECOND_FACTOR")
    await queueLoginFailure(em, AuditAction.MEMBER_CODE_REFUSED, { email, origin });
  else await takeBack();
  if (refusal) throw refusal;
  return account;
}
