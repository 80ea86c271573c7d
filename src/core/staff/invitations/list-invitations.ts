import type { EntityManager } from "@mikro-orm/postgresql";
import { Invitation } from "../../model/staff/invitation.entity.ts";

/** The shop's invitations that were neither used nor revoked, the oldest first. */
export function listInvitations(em: EntityManager, shopId: string): Promise<Invitation[]> {
  const orderBy = { createdAt: "asc", id: "asc" } as const;
  return em.find(Invitation, { shopId }, { orderBy, disableIdentityMap: true });
}
