import { Ctx, Field, FieldResolver, ID, ObjectType, Query, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { enumType } from "../model/enum-type.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { Session } from "../model/staff/session.entity.ts";
import { Role } from "../model/staff/staff.entity.ts";
import { NotificationSetting, settingsOf } from "./notification.resolver.ts";
import { listSessions, MAX_LISTED } from "./sessions/sessions.ts";

const ViewerKind = enumType("ViewerKind", "The kind of caller.", {
  STAFF: "A staff member who is logged in.",
  SERVICE: "A service with a service token.",
});
type ViewerKind = keyof typeof ViewerKind;

@ObjectType("ShopMembership", { description: "The caller's role and permissions in one shop.", simpleResolvers: true })
class ShopMembershipType {
  @Field(() => Shop, { description: "The shop." })
  shop!: Shop;

  @Field(() => Role, { nullable: true, description: "The role of a staff member. Null for a service." })
  role!: Role | null;

  @Field(() => Boolean, { description: "Whether the caller must turn on two-factor authentication to use the shop." })
  needsSecondFactor!: boolean;

  @Field(() => [Permission], { description: "The permissions of the role or the service." })
  permissions!: Permission[];

  @Field(() => [NotificationSetting], {
    description: "The caller's email notifications about the shop. Sent only with the permission SETTINGS.",
  })
  notificationSettings!: NotificationSetting[];
}

@ObjectType({ description: "The caller: a staff member or a service.", simpleResolvers: true })
class Viewer {
  @Field(() => ViewerKind, { description: "The kind of caller." })
  kind!: ViewerKind;

  @Field(() => ID, { description: "The ID of the account or the service token." })
  id!: string;

  @Field(() => String, { description: "The email address of a staff member, or the name of a service token." })
  name!: string;

  @Field(() => Boolean, {
    description: "Whether the caller's account uses two-factor authentication. False for a service.",
  })
  hasSecondFactor!: boolean;

  @Field(() => [ShopMembershipType], { description: "The shops that the caller has access to." })
  memberships!: ShopMembershipType[];
}

@Resolver(() => Viewer)
export class ViewerResolver {
  @Query(() => Viewer, { nullable: true, description: "The caller. Null if nobody is logged in." })
  viewer(@Ctx() { caller }: CoreContext): Viewer | undefined {
    if (!caller) return undefined;
    const memberships = [...caller.memberships.values()].map((membership) => ({
      shop: membership.shop,
      role: membership.role ?? null,
      needsSecondFactor: membership.needsSecondFactor ?? false,
      permissions: [...membership.permissions],
      notificationSettings: settingsOf(membership),
    }));
    const kind = caller.kind === "staff" ? ViewerKind.STAFF : ViewerKind.SERVICE;
    const { id, name, hasSecondFactor = false } = caller;
    return { kind, id, name, hasSecondFactor, memberships };
  }

  @FieldResolver(() => [Session], {
    description: `The newest ${MAX_LISTED} sessions of the caller. A service has none.`,
  })
  async sessions(@Root() viewer: Viewer, @Ctx() { orm, limit, session }: CoreContext): Promise<Session[]> {
    if (viewer.kind !== ViewerKind.STAFF || session?.token === undefined) return [];
    return limit(listSessions, orm.em, viewer.id);
  }
}
