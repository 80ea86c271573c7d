import { Arg, Authorized, Ctx, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { field, inputOf, objectOf } from "../model/fields.ts";
import { NotificationKind, notificationKinds } from "../model/notifications/notification-kind.ts";
import type { ShopMembership } from "../model/permissions.ts";
import { NOTIFIED } from "../notifications/recipients.ts";
import { updateNotificationSettings } from "./members/members.ts";

@ObjectType({ description: "A staff member's setting for one kind of email notification.", simpleResolvers: true })
export class NotificationSetting extends objectOf({
  kind: field(NotificationKind, "The kind of email notification."),
  enabled: field(Boolean, "Whether the staff member receives these emails. True by default."),
}) {}

@InputType({ description: "Your setting for one kind of email notification." })
class NotificationSettingInput extends inputOf({
  kind: field(NotificationKind, "The kind of email notification."),
  enabled: field(Boolean, "Whether you receive these emails."),
}) {}

/** The notification settings of a membership. Members who get no mails have none. */
export function settingsOf({ permissions, mutedNotifications }: ShopMembership): NotificationSetting[] {
  if (!mutedNotifications || !permissions.has(NOTIFIED)) return [];
  return notificationKinds.map((kind) => ({ kind, enabled: !mutedNotifications.includes(kind) }));
}

@Resolver()
export class NotificationMutations {
  @Authorized(NOTIFIED)
  @Mutation(() => [NotificationSetting], {
    description:
      "Changes your email notifications about the shop. Omitted kinds are left unchanged. You receive at most one email per hour of each kind. Emails about your own account are always sent. Returns all settings.",
  })
  async updateNotificationSettings(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: Operation,
    @Arg("settings", () => [NotificationSettingInput], {
      description: "The settings to change, each kind at most once.",
    })
    settings: NotificationSettingInput[],
  ): Promise<NotificationSetting[]> {
    const request = settings.map((setting) => ({ ...setting }));
    const mutedNotifications = await updateNotificationSettings(operation, request);
    return settingsOf({ ...context.caller!.memberships.get(operation.shop.id)!, mutedNotifications });
  }
}
