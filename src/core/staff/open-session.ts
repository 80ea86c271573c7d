import type { EntityManager } from "@mikro-orm/postgresql";
import { newId } from "../../platform/ids.ts";
import type { Origin } from "../context.ts";
import { projections, runStatement } from "../database.ts";
import type { Staff } from "./staff.entity.ts";
import { digestToken, generateToken, type Token } from "./token.ts";

/** However it is used, a session ends this long after the login. */
const LIFETIME = "interval '12 hours'";
/** SQL: whether a session has not ended, by its age or because it was not used for an hour. */
export const IS_OPEN = "expires_at > now() and last_seen_at > now() - interval '1 hour'";

/** Opens a session; undefined when the account no longer has the password that was checked. */
export async function openSession(
  em: EntityManager,
  { id: staffId, passwordHash }: Staff,
  { address, userAgent }: Origin,
): Promise<Token | undefined> {
  const token = generateToken();
  // The lock lets a change of the password, which ends all sessions, come wholly before or wholly after this.
  const [opened] = await runStatement<{ expiresAt: Date }>(
    projections(em),
    `insert into sessions (id, token_digest, staff_id, address, user_agent, created_at, last_seen_at, expires_at)
    select $1, $2, id, $3, $4, now(), now(), now() + ${LIFETIME} from staff
    where id = $5 and password_hash = $6 for share
    returning expires_at as "expiresAt"`,
    [newId("ses"), digestToken(token), address, userAgent, staffId, passwordHash],
  );
  return opened && { token, expiresAt: opened.expiresAt };
}
