import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { KnownDevice } from "../../model/staff/known-device.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { hasAddress } from "../accounts/account.ts";
import { digestToken, generateToken, type Token } from "../accounts/token.ts";

/** How long a device stays known after a login: a year. Milliseconds. */
const LIFETIME = 365 * 86_400_000;
/** SQL: devices last used before this moment are no longer known. */
export const OLDEST_KNOWN_USE = `now() - interval '${LIFETIME} milliseconds'`;

/** Consecutive wrong passwords after which a device is no longer known, which limits the use of a stolen cookie. */
const MAX_GUESSES = 100;

/**
 * Counts a password attempt from a device; a login resets the count. Returns the digest of the device's token.
 * Undefined when no one has logged in to this account from it within a year, or it made too many wrong guesses since.
 */
export async function countGuess(
  em: EntityManager,
  email: string,
  token: string | undefined,
): Promise<Buffer | undefined> {
  if (token === undefined) return undefined;
  const tokenDigest = digestToken(token);
  const known = { tokenDigest, staff: hasAddress(email), lastUsedAt: { $gt: raw(OLDEST_KNOWN_USE) } };
  const device = await em.findOne(KnownDevice, known, { disableIdentityMap: true });
  if (!device) return undefined;
  // A single conditional statement, so that concurrent guesses all count, even while the token is renewed.
  const countable = { tokenDigest, staff: device.staff.id, guesses: { $lt: MAX_GUESSES } };
  const counted = await em.nativeUpdate(KnownDevice, countable, { guesses: raw("guesses + 1") });
  return counted > 0 ? tokenDigest : undefined;
}

/**
 * Gives a device a new token after a login. Other accounts stay known there, with their count of guesses. A token that
 * was copied or planted before the login becomes useless.
 */
export async function renewDevice(em: EntityManager, staffId: string, token: string | undefined): Promise<Token> {
  const renewed = generateToken();
  const tokenDigest = digestToken(renewed);
  if (token !== undefined) await em.nativeUpdate(KnownDevice, { tokenDigest: digestToken(token) }, { tokenDigest });
  const lastUsedAt = await databaseTime(em);
  await em.upsert(KnownDevice, { tokenDigest, staff: staffId, lastUsedAt, guesses: 0 });
  return { token: renewed, expiresAt: new Date(lastUsedAt.getTime() + LIFETIME) };
}
