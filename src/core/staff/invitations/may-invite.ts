import type { EntityManager } from "@mikro-orm/postgresql";
import { permissionsByRole, staffMembership } from "../../access/permissions.ts";
import { Permission } from "../../model/permissions.ts";
import { requireShop } from "../../shops/require-shop.ts";
import { Membership, type Role } from "../../model/staff/staff.entity.ts";
import type { Invitation } from "../../model/staff/invitation.entity.ts";

/** The permission to invite. It allows granting every role. */
export const INVITE = Permission.SETTINGS;

/** Returns true when a role has the permission to invite. */
export function mayInvite(role: Role): boolean {
  return permissionsByRole[role].includes(INVITE);
}

/** Returns true when the inviter may still invite. An operator always may. */
export async function mayStillInvite(em: EntityManager, { shopId, invitedBy }: Invitation): Promise<boolean> {
  if (invitedBy === null) return true;
  const enabled = { shopId, staff: { id: invitedBy, disabledAt: null } };
  const inviter = await em.findOne(Membership, enabled, { populate: ["staff"], disableIdentityMap: true });
  if (!inviter) return false;
  const { role, staff } = inviter;
  return staffMembership(await requireShop(em, shopId), role, staff.secondFactorAt !== null).permissions.has(INVITE);
}
