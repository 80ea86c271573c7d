import { Arg, Authorized, Ctx, Field, InputType, Mutation, ObjectType, Resolver } from "type-graphql";
import { operationOf } from "../../access/operation.ts";
import type { ShopMembership } from "../../model/permissions.ts";
import type { CoreContext } from "../../context.ts";
import { ShopId } from "../../schema/operation-arguments.ts";
import { NotificationKind, notificationKinds } from "../../model/notifications/notification-kind.ts";
import { NOTIFIED } from "../../notifications/recipients.ts";
import { updateNotificationSettings } from "./update-notification-settings.ts";

@ObjectType({ description: "A member's choice about one kind of mail.", simpleResolvers: true })
export class NotificationSetting {
  @Field(() => NotificationKind, { description: "The subject of the mails." })
  kind!: NotificationKind;

  @Field(() => Boolean, { description: "True when they get these mails, as they do by default." })
  enabled!: boolean;
}

@InputType({ description: "The caller's choice about one kind of mail." })
class NotificationSettingInput {
  @Field(() => NotificationKind, { description: "The subject of the mails." })
  kind!: NotificationKind;

  @Field(() => Boolean, { description: "True to get these mails." })
  enabled!: boolean;
}

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
      "Chooses which mails about the shop the caller gets: one an hour at most of each kind. Kinds that are not named " +
      "stay as they are. Mails about the caller's own account come in any case. Answers all settings.",
  })
  async updateNotificationSettings(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("settings", () => [NotificationSettingInput], { description: "Each kind once at most." })
    settings: NotificationSettingInput[],
  ): Promise<NotificationSetting[]> {
    const request = settings.map((setting) => ({ ...setting }));
    const mutedNotifications = await updateNotificationSettings(operationOf(context, shopId), request);
    return settingsOf({ ...context.actor!.memberships.get(shopId)!, mutedNotifications });
  }
}
