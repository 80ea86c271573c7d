import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../platform/ids.ts";
import type { Origin } from "../context.ts";
import { projections, runStatement } from "../database.ts";
import type { Staff } from "./staff.entity.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** However it is used, a session ends this long after the login. Milliseconds. */
const LIFETIME = 12 * 3_600_000;
/** A session that is not used for so long ends. Milliseconds. */
export const IDLE_TIME = 3_600_000;

/** Opens a session; undefined when the account no longer has the password that was checked. */
export async function openSession(
  em: EntityManager,
  { id: staffId, passwordHash }: Staff,
  { address, userAgent }: Origin,
): Promise<Token | undefined> {
  const token = generateToken();
  const createdAt = new Date();
  const expiresAt = new Date(createdAt.getTime() + LIFETIME);
  // The lock lets a change of the password, which ends all sessions, come wholly before or wholly after this.
  const opened = await runStatement(
    projections(em),
    `insert into sessions (id, token_digest, staff_id, address, user_agent, created_at, last_seen_at, expires_at)
    select $1, $2, id, $3, $4, $5, $5, $6 from staff where id = $7 and password_hash = $8 for share
    returning id`,
    [newId("ses"), digestToken(token), address, userAgent, createdAt, expiresAt, staffId, passwordHash],
  );
  return opened.length > 0 ? { token, expiresAt } : undefined;
}
