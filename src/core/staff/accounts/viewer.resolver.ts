import { Ctx, Field, FieldResolver, ID, ObjectType, Query, registerEnumType, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { Permission } from "../../model/permissions.ts";
import { NotificationSetting, settingsOf } from "../members/notification.resolver.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { listSessions, MAX_LISTED } from "../sessions/list-sessions.ts";
import { Session } from "../../model/staff/session.entity.ts";
import { Role } from "../../model/staff/staff.entity.ts";

enum ViewerKind {
  STAFF = "STAFF",
  SERVICE = "SERVICE",
}

registerEnumType(ViewerKind, {
  name: "ViewerKind",
  description: "What kind of caller is asking.",
  valuesConfig: {
    STAFF: { description: "A person who is logged in." },
    SERVICE: { description: "A service of a shop's own." },
  },
});

@ObjectType("ShopMembership", { description: "The caller's role and permissions in one shop.", simpleResolvers: true })
class ShopMembershipType {
  @Field(() => Shop, { description: "The shop." })
  shop!: Shop;

  @Field(() => Role, { nullable: true, description: "Of a person; null for a service." })
  role!: Role | null;

  @Field(() => Boolean, {
    description:
      "Whether the shop requires a second factor of the caller, who has none: they may do nothing in it till then.",
  })
  needsSecondFactor!: boolean;

  @Field(() => [Permission], { description: "The permissions of the role, or those given to the service." })
  permissions!: Permission[];

  @Field(() => [NotificationSetting], {
    description:
      "The caller's choice for each kind of mail about the shop. Without the permission SETTINGS, none are sent.",
  })
  notificationSettings!: NotificationSetting[];
}

@ObjectType({ description: "The caller: a member of staff or a service.", simpleResolvers: true })
class Viewer {
  @Field(() => ViewerKind, { description: "A person or a service." })
  kind!: ViewerKind;

  @Field(() => ID, { description: "Of the person, or of the service's token." })
  id!: string;

  @Field(() => String, { description: "A person's e-mail address, or the name of a service's token." })
  name!: string;

  @Field(() => Boolean, { description: "True when the person's login takes a code beside the password." })
  hasSecondFactor!: boolean;

  @Field(() => [ShopMembershipType], { description: "The shops of the caller." })
  memberships!: ShopMembershipType[];
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { nullable: true, description: "The caller; null when nobody is logged in." })
  viewer(@Ctx() { actor }: CoreContext): Viewer | undefined {
    if (!actor) return undefined;
    const memberships = [...actor.memberships.values()].map((membership) => ({
      shop: membership.shop,
      role: membership.role ?? null,
      needsSecondFactor: membership.needsSecondFactor ?? false,
      permissions: [...membership.permissions],
      notificationSettings: settingsOf(membership),
    }));
    const kind = actor.kind === "staff" ? ViewerKind.STAFF : ViewerKind.SERVICE;
    const { id, name, hasSecondFactor = false } = actor;
    return { kind, id, name, hasSecondFactor, memberships };
  }

  @FieldResolver(() => [Session], {
    description: `The caller's sessions: the newest ${MAX_LISTED}. A service has none.`,
  })
  async sessions(@Root() viewer: Viewer, @Ctx() { orm, limit, session }: CoreContext): Promise<Session[]> {
    if (viewer.kind !== ViewerKind.STAFF || session?.token === undefined) return [];
    return limit(listSessions, orm.em, viewer.id);
  }
}
