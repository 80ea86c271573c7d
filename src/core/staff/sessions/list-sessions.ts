import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { IS_OPEN } from "./open-session.ts";
import { Session } from "./session.entity.ts";

/** Somebody's open sessions, newest first. */
export function listSessions(em: EntityManager, staffId: string): Promise<Session[]> {
  const orderBy = { createdAt: "desc", id: "desc" } as const;
  return em.find(Session, { staff: staffId, [raw(IS_OPEN)]: [] }, { orderBy, disableIdentityMap: true });
}
