import type { EntityManager } from "@mikro-orm/postgresql";
import { Invitation } from "../../model/staff/invitation.entity.ts";

/** Lists a shop's open invitations, oldest first. */
export function listInvitations(em: EntityManager, shopId: string): Promise<Invitation[]> {
  const orderBy = { createdAt: "asc", id: "asc" } as const;
  return em.find(Invitation, { shopId }, { orderBy, disableIdentityMap: true });
}
