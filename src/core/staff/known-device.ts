import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { projections, runStatement, type Database } from "../database.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** How long a device stays known after a login. */
export const DEVICE_LIFETIME = "interval '365 days'";

/** The digest of the device's token, if somebody has logged in to this account from it within a year. */
export async function findKnownDevice(
  database: Kysely<Database>,
  email: string,
  token: string | undefined,
): Promise<Buffer | undefined> {
  if (token === undefined) return undefined;
  const digest = digestToken(token);
  const known = await runStatement(
    database,
    `select 1 from known_devices join staff on staff.id = staff_id
    where token_digest = $1 and lower(email) = $2 and last_used_at > now() - ${DEVICE_LIFETIME}`,
    [digest, email.toLowerCase()],
  );
  return known.length > 0 ? digest : undefined;
}

/**
 * Gives a device that somebody logged in from a new token. Whoever else logs in from it stays known there; a
 * token that was copied, or planted before the login, is worth nothing after it.
 */
export async function renewDevice(em: EntityManager, staffId: string, token: string | undefined): Promise<Token> {
  const renewed = generateToken();
  const database = projections(em);
  if (token !== undefined) {
    const text = "update known_devices set token_digest = $2 where token_digest = $1";
    await runStatement(database, text, [digestToken(token), digestToken(renewed)]);
  }
  const [kept] = await runStatement<{ expiresAt: Date }>(
    database,
    `insert into known_devices (token_digest, staff_id, last_used_at) values ($1, $2, now())
    on conflict (token_digest, staff_id) do update set last_used_at = excluded.last_used_at
    returning last_used_at + ${DEVICE_LIFETIME} as "expiresAt"`,
    [digestToken(renewed), staffId],
  );
  return { token: renewed, expiresAt: kept!.expiresAt };
}
