import type { EntityManager } from "@mikro-orm/postgresql";
import { Permission, permissionsByRole } from "../../access/permissions.ts";
import { Membership, type Role } from "../accounts/staff.entity.ts";
import type { Invitation } from "./invitation.entity.ts";

/** The permission to invite. Whoever has it may grant every role. */
export const INVITE = Permission.SETTINGS;

/** Tells whether a role grants the permission to invite. */
export function mayInvite(role: Role): boolean {
  return permissionsByRole[role].includes(INVITE);
}

/** Tells whether the inviter still may invite. An operator always may. */
export async function mayStillInvite(em: EntityManager, { shopId, invitedBy }: Invitation): Promise<boolean> {
  if (invitedBy === null) return true;
  const enabled = { shopId, staff: { id: invitedBy, disabledAt: null } };
  const inviter = await em.findOne(Membership, enabled, { disableIdentityMap: true });
  return inviter !== null && mayInvite(inviter.role);
}
