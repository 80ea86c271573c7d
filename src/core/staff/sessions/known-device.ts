import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { databaseTime } from "../../queries/database-time.ts";
import { hasAddress } from "../accounts/account.ts";
import { KnownDevice } from "./known-device.entity.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** The time for which a device stays known after a login: a year. Milliseconds. */
const LIFETIME = 365 * 86_400_000;
/** SQL: the moment until which a device was last used that is not known any more. */
export const LAST_FORGOTTEN = `now() - interval '${LIFETIME} milliseconds'`;

/** The digest of the device's token, if somebody has logged in to this account from it within a year. */
export async function findKnownDevice(
  em: EntityManager,
  email: string,
  token: string | undefined,
): Promise<Buffer | undefined> {
  if (token === undefined) return undefined;
  const known = { tokenDigest: digestToken(token), staff: hasAddress(email), lastUsedAt: { $gt: raw(LAST_FORGOTTEN) } };
  return (await em.findOne(KnownDevice, known, { disableIdentityMap: true }))?.tokenDigest;
}

/**
 * Gives a device that somebody logged in from a new token. Whoever else logs in from it stays known there; a
 * token that was copied, or planted before the login, is worth nothing after it.
 */
export async function renewDevice(em: EntityManager, staffId: string, token: string | undefined): Promise<Token> {
  const renewed = generateToken();
  const tokenDigest = digestToken(renewed);
  if (token !== undefined) await em.nativeUpdate(KnownDevice, { tokenDigest: digestToken(token) }, { tokenDigest });
  const lastUsedAt = await databaseTime(em);
  await em.upsert(KnownDevice, { tokenDigest, staff: staffId, lastUsedAt });
  return { token: renewed, expiresAt: new Date(lastUsedAt.getTime() + LIFETIME) };
}
