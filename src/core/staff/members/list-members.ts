import type { EntityManager } from "@mikro-orm/postgresql";
import { Membership } from "../../model/staff/staff.entity.ts";

/** Lists a shop's members with their accounts, oldest membership first. */
export function listMembers(em: EntityManager, shopId: string): Promise<Membership[]> {
  const orderBy = { createdAt: "asc", staff: { id: "asc" } } as const;
  return em.find(Membership, { shopId }, { populate: ["staff"], orderBy, disableIdentityMap: true });
}
