import type { EntityManager } from "@mikro-orm/postgresql";
import { lacksSecondFactor, permissionsByRole } from "../access/permissions.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { Membership, Role } from "../model/staff/staff.entity.ts";
import type { NotificationKind } from "../model/notifications/notification-kind.ts";

/** The permission to get mails about a shop, which contain data that requires it. */
export const NOTIFIED = Permission.SETTINGS;

const roles = Object.values(Role).filter((role) => permissionsByRole[role].includes(NOTIFIED));

/** Finds the members who get mails of this kind, with their accounts, or only the given one. */
export async function findRecipients(
  em: EntityManager,
  { shopId, kind, staffId }: { shopId: string; kind: NotificationKind; staffId?: string },
): Promise<Membership[]> {
  const staff = { disabledAt: null, ...(staffId !== undefined && { id: staffId }) };
  const members = { shopId, role: { $in: roles }, staff };
  const found = await em.find(Membership, members, { populate: ["staff"], disableIdentityMap: true });
  const shop = await em.findOneOrFail(Shop, { id: shopId }, { disableIdentityMap: true });
  return found.filter(({ role, staff: { secondFactorAt }, mutedNotifications }) => {
    return !mutedNotifications.includes(kind) && !lacksSecondFactor(shop, role, secondFactorAt !== null);
  });
}
