import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { IS_OPEN } from "./open-session.ts";
import { Session } from "../../model/staff/session.entity.ts";

/** The maximum number of listed sessions. Only the logins within 12 hours limit their number. */
export const MAX_LISTED = 100;

/** Lists an account's open sessions, newest first. */
export function listSessions(em: EntityManager, staffId: string): Promise<Session[]> {
  const orderBy = { createdAt: "desc", id: "desc" } as const;
  return em.find(
    Session,
    { staff: staffId, [raw(IS_OPEN)]: [] },
    { orderBy, limit: MAX_LISTED, disableIdentityMap: true },
  );
}
