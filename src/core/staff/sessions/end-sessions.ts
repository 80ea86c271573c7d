import type { EntityManager } from "@mikro-orm/postgresql";
import { isId } from "../../ids.ts";
import { Session } from "./session.entity.ts";
import { digestToken } from "./token.ts";

/** Ends the session of the token. False when there was none. */
export async function logOut(em: EntityManager, token: string): Promise<boolean> {
  return (await em.nativeDelete(Session, { tokenDigest: digestToken(token) })) > 0;
}

/** Ends one of somebody's own sessions. False when they have none with this id. */
export async function endSession(em: EntityManager, staffId: string, id: string): Promise<boolean> {
  return isId(id) && (await em.nativeDelete(Session, { staff: staffId, id })) > 0;
}

/** Ends somebody's sessions but the one of the token, if any is spared. Answers how many there were. */
export function endSessions(em: EntityManager, staffId: string, spared?: string): Promise<number> {
  const others = spared !== undefined && { tokenDigest: { $ne: digestToken(spared) } };
  return em.nativeDelete(Session, { staff: staffId, ...others });
}
