import { randomBytes } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { findAccount } from "./account.ts";
import { countGuess } from "../sessions/known-device.ts";
import { countAttempt } from "../sessions/login-throttle.ts";
import { digestToken } from "../sessions/token.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import type { Staff } from "./staff.entity.ts";

/** Where a password was typed: what tells one guesser from another. */
export interface Browser {
  origin: Origin;
  /** The tokens in its cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
}

interface Credentials {
  email: string;
  password: string;
}

// Verified when nobody has the address, so that both answers take the same time.
const nobody = hashPassword(randomBytes(16).toString("hex"));

/**
 * The account, if there is one with this address and the password is its own.
 *
 * @throws AppError RATE_LIMITED after too many wrong ones
 */
export async function checkPassword(
  em: EntityManager,
  credentials: Credentials,
  { origin, deviceToken }: Browser,
): Promise<Staff | undefined> {
  const { email } = credentials;
  const known = await countGuess(em, email, deviceToken);
  const takeBack = await countAttempt(em, { email, ...(known ? { known } : { address: origin.address }) });
  return verify(em, credentials, takeBack);
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
  sessionToken: string,
): Promise<Staff | undefined> {
  const takeBack = await countAttempt(em, { email: credentials.email, known: digestToken(sessionToken) });
  return verify(em, credentials, takeBack);
}

async function verify(
  em: EntityManager,
  { email, password }: Credentials,
  takeBack: () => Promise<void>,
): Promise<Staff | undefined> {
  const account = await findAccount(em, email);
  const matches = await verifyPassword(password, account?.passwordHash ?? (await nobody));
  if (!account || !matches) return undefined;
  await takeBack();
  return account;
}
