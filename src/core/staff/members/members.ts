import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { NotificationKind, notificationKinds } from "../../model/notifications/notification-kind.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Membership, Role, type Staff } from "../../model/staff/staff.entity.ts";
import { requireNoSandbox } from "../../shops/sandbox-rules.ts";
import { lockShop } from "../../shops/shops.ts";
import { parseInput } from "../../validation/input.ts";
import { hasAnotherOwner } from "../accounts/account.ts";
import { mayInvite, revokeInvitationsBy } from "../invitations/invitations.ts";
import { endSessions } from "../sessions/sessions.ts";

/** Lists a shop's members with their accounts, oldest membership first. */
export function listMembers(em: EntityManager, shopId: string): Promise<Membership[]> {
  const orderBy = { createdAt: "asc", staff: { id: "asc" } } as const;
  return em.find(Membership, { shopId }, { populate: ["staff"], orderBy, disableIdentityMap: true });
}

/**
 * Changes a member's role in all of their sessions. Their invitations are revoked when the new role may not
 * invite. Returns the changed member.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE when the shop would have no owner
 */
export async function changeMemberRole(
  operation: Operation<ShopKey>,
  staffId: string,
  role: Role,
): Promise<Membership> {
  return inTransaction(operation, async (inside) => {
    const member = await lockMember(inside, staffId);
    if (member.role === role) return member;
    await requireAnotherOwner(inside.em, member);
    const target = { id: staffId, name: member.staff.email };
    const details = { from: member.role, to: role };
    member.role = role;
    if (!mayInvite(role)) await revokeInvitationsBy(inside, staffId);
    await recordAudit(inside, { action: AuditAction.MEMBER_ROLE_CHANGED, target, details });
    return member;
  });
}

/**
 * Ends a membership in all sessions, and revokes the member's invitations. The account stays, because it may
 * belong to other shops. Returns false when there is no such member.
 *
 * @throws AppError INVALID_STATE when the shop would have no owner
 */
export async function removeMember(operation: Operation<ShopKey>, staffId: string): Promise<boolean> {
  return inTransaction(operation, async (inside) => {
    const member = await findLocked(inside, staffId);
    if (!member) return false;
    await requireAnotherOwner(inside.em, member);
    inside.em.remove(member);
    await revokeInvitationsBy(inside, staffId);
    const target = { id: staffId, name: member.staff.email };
    const details = { role: member.role };
    await recordAudit(inside, { action: AuditAction.MEMBER_REMOVED, target, details });
    return true;
  });
}

/**
 * Ends all sessions of a member, and returns the account and the number of sessions. Sessions apply to all shops, but
 * only this shop's audit log has an entry, because its owners must not learn about the member's other shops.
 *
 * @throws AppError NOT_FOUND
 */
export async function endMemberSessions(
  operation: Operation<ShopKey>,
  staffId: string,
): Promise<{ staff: Staff; sessions: number }> {
  return inTransaction(operation, async (inside) => {
    const { staff } = await lockMember(inside, staffId);
    const sessions = await endSessions(inside.em, staffId);
    if (sessions > 0) {
      const target = { id: staffId, name: staff.email };
      const details = { sessions: String(sessions) };
      await recordAudit(inside, { action: AuditAction.MEMBER_SESSIONS_ENDED, target, details });
    }
    return { staff, sessions };
  });
}

const updateSchema = z
  .array(z.strictObject({ kind: z.enum(NotificationKind), enabled: z.boolean() }))
  .refine((settings) => new Set(settings.map(({ kind }) => kind)).size === settings.length, {
    path: ["settings"],
    error: "Must contain each kind only once",
  });

/**
 * Chooses the mails that a member gets about a shop. Kinds that are not given stay unchanged. Returns the muted kinds.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND when they are no longer a member
 */
export async function updateNotificationSettings(
  operation: Operation<ShopKey>,
  request: z.input<typeof updateSchema>,
): Promise<NotificationKind[]> {
  const enabled = new Map(parseInput(updateSchema, request).map((setting) => [setting.kind, setting.enabled]));
  return inTransaction(operation, async (inside) => {
    const member = await lockMember(inside, inside.actor.id!);
    const muted = new Set(member.mutedNotifications);
    const isMuted = (kind: NotificationKind) => !(enabled.get(kind) ?? !muted.has(kind));
    const changed = notificationKinds.filter((kind) => isMuted(kind) !== muted.has(kind));
    if (changed.length === 0) return member.mutedNotifications;
    member.mutedNotifications = notificationKinds.filter(isMuted);
    const target = { id: member.staff.id, name: member.staff.email };
    const details = Object.fromEntries(changed.map((kind) => [kind, isMuted(kind) ? "off" : "on"]));
    const action = AuditAction.NOTIFICATION_SETTINGS_UPDATED;
    await recordAudit(inside, { action, target, details });
    return member.mutedNotifications;
  });
}

/** Finds a member with their account, or null. The shop's lock makes changes of its members run one after another. */
async function findLocked({ em, shop }: Operation<ShopKey>, staffId: string): Promise<Membership | null> {
  requireNoSandbox(await lockShop(em, shop.id), "staff");
  return isId(staffId) ? em.findOne(Membership, { shopId: shop.id, staff: staffId }, { populate: ["staff"] }) : null;
}

/** The same. @throws AppError NOT_FOUND */
async function lockMember(operation: Operation<ShopKey>, staffId: string): Promise<Membership> {
  const member = await findLocked(operation, staffId);
  if (!member) throw new AppError("NOT_FOUND", "Member not found");
  return member;
}

/** @throws AppError INVALID_STATE when the member is the only one who may manage the shop */
async function requireAnotherOwner(em: EntityManager, { shopId, role, staff }: Membership): Promise<void> {
  if (role !== Role.OWNER || (await hasAnotherOwner(em, shopId, staff.id))) return;
  const hint = "Make another member an owner first.";
  throw new AppError("INVALID_STATE", "A shop must have at least one owner", { hint });
}
