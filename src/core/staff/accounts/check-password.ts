import { randomBytes } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import type { Origin } from "../../context.ts";
import { findAccount } from "./account.ts";
import { findKnownDevice } from "../sessions/known-device.ts";
import { countAttempt } from "../sessions/login-throttle.ts";
import { hashPassword, verifyPassword } from "./password.ts";
import type { Staff } from "./staff.entity.ts";

/** Where a password was typed: what tells one guesser from another. */
export interface Browser {
  origin: Origin;
  /** The tokens in its cookies. */
  sessionToken: string | undefined;
  deviceToken: string | undefined;
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
  { email, password }: { email: string; password: string },
  { origin, deviceToken }: Browser,
): Promise<Staff | undefined> {
  const device = await findKnownDevice(em, email, deviceToken);
  const takeBack = await countAttempt(em, { email, address: origin.address, device });
  const account = await findAccount(em, email);
  const matches = await verifyPassword(password, account?.passwordHash ?? (await nobody));
  if (!account || !matches) return undefined;
  await takeBack();
  return account;
}
