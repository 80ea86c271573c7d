import { z } from "zod";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { AppError } from "../../model/errors.ts";
import { lockMember } from "../accounts/lock-member.ts";
import { parseInput } from "../../validation/input.ts";
import { NotificationKind, notificationKinds } from "../../model/notifications/notification-kind.ts";

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
    const { em, shop, actor } = inside;
    const member = await lockMember(em, shop.id, actor.id!);
    if (!member) throw new AppError("NOT_FOUND", "Member not found");
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
