import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { databaseTime } from "../../queries/database-time.ts";
import { hasAddress } from "../accounts/account.ts";
import { KnownDevice } from "../../model/staff/known-device.entity.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** The time for which a device stays known after a login: a year. Milliseconds. */
const LIFETIME = 365 * 86_400_000;
/** SQL: devices last used before this moment are no longer known. */
export const OLDEST_KNOWN_USE = `now() - interval '${LIFETIME} milliseconds'`;

/** Passwords in a row, none of them right, after which a device is a stranger: a stolen cookie takes no more guesses. */
const MAX_GUESSES = 100;

/**
 * Counts a password that is tried from a device, until a login starts the count anew. Returns the digest of the device's
 * token; undefined when nobody has logged in to this account from it within a year, or it has guessed too much since.
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
  // One conditional statement: guesses at the same moment all count, and none escapes to a token that is being renewed.
  const countable = { tokenDigest, staff: device.staff.id, guesses: { $lt: MAX_GUESSES } };
  const counted = await em.nativeUpdate(KnownDevice, countable, { guesses: raw("guesses + 1") });
  return counted > 0 ? tokenDigest : undefined;
}

/**
 * Gives a device that somebody logged in from a new token. Whoever else logs in from it stays known there, with their
 * count of guesses. A token that was copied, or planted before the login, is worth nothing after it.
 */
export async function renewDevice(em: EntityManager, staffId: string, token: string | undefined): Promise<Token> {
  const renewed = generateToken();
  const tokenDigest = digestToken(renewed);
  if (token !== undefined) await em.nativeUpdate(KnownDevice, { tokenDigest: digestToken(token) }, { tokenDigest });
  const lastUsedAt = await databaseTime(em);
  await em.upsert(KnownDevice, { tokenDigest, staff: staffId, lastUsedAt, guesses: 0 });
  return { token: renewed, expiresAt: new Date(lastUsedAt.getTime() + LIFETIME) };
}
