import { randomBytes } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { SecurityEvent } from "../security-log.ts";
import { findAccount } from "./account.ts";
import { countGuess } from "../sessions/known-device.ts";
import { countAttempt, type Attempt } from "../sessions/login-throttle.ts";
import { digestToken } from "../sessions/token.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import type { Staff } from "./staff.entity.ts";

/** Where a password was typed: what tells one guesser from another. */
export interface Browser {
  origin: Origin;
  /** The tokens in its cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
  /** Tells the log what became of a password that was typed there. */
  report: (event: SecurityEvent, email: string) => void;
}

interface Credentials {
  email: string;
  password: string;
}

// Verified when nobody has the address, so that both answers take the same time.
const nobody = hashPassword(randomBytes(16).toString("hex"));

/**
 * The account, if there is one with this address that is not disabled, and the password is its own.
 *
 * @throws AppError RATE_LIMITED after too many wrong ones
 */
export async function checkPassword(
  em: EntityManager,
  credentials: Credentials,
  { origin, deviceToken, report }: Browser,
): Promise<Staff | undefined> {
  const { email } = credentials;
  const known = await countGuess(em, email, deviceToken);
  return verify(em, credentials, { email, ...(known ? { known } : { address: origin.address }) }, report);
}

/**
 * The account whose session is open, if the password is its own. It counts for the session alone, whatever happens at
 * its address.
 *
 * @throws AppError RATE_LIMITED after too many wrong ones
 */
export async function checkOwnPassword(
  em: EntityManager,
  credentials: Credentials,
  { sessionToken, report }: { sessionToken: string; report: Browser["report"] },
): Promise<Staff | undefined> {
  return verify(em, credentials, { email: credentials.email, known: digestToken(sessionToken) }, report);
}

async function verify(
  em: EntityManager,
  { email, password }: Credentials,
  attempt: Attempt,
  report: Browser["report"],
): Promise<Staff | undefined> {
  const takeBack = await countAttempt(em, attempt).catch((error: unknown) => {
    if (error instanceof AppError && error.code === "RATE_LIMITED") report("login_locked_out", email);
    throw error;
  });
  const account = await findAccount(em, email);
  const matches = await verifyPassword(password, account?.passwordHash ?? (await nobody));
  // A right password for a disabled account counts and is answered as a wrong one: a thief learns nothing of it.
  if (!account || !matches || account.disabledAt) {
    report("login_refused", email);
    return undefined;
  }
  await takeBack();
  return account;
}
