import { Ctx, FieldResolver, ID, ObjectType, Query, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { enumType } from "../model/enum-type.ts";
import { field, nullable, objectOf } from "../model/fields.ts";
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
class ShopMembershipType extends objectOf({
  shop: field(Shop, "The shop."),
  role: nullable(Role, "The role of a staff member. Null for a service."),
  needsSecondFactor: field(Boolean, "Whether the caller must turn on two-factor authentication to use the shop."),
  permissions: field([Permission], "The permissions of the role or the service."),
  notificationSettings: field(
    [NotificationSetting],
    "The caller's email notifications about the shop. Sent only with the permission SETTINGS.",
  ),
}) {}

@ObjectType({ description: "The caller: a staff member or a service.", simpleResolvers: true })
class Viewer extends objectOf({
  kind: field(ViewerKind, "The kind of caller."),
  id: field(ID, "The ID of the account or the service token."),
  name: field(String, "The email address of a staff member, or the name of a service token."),
  hasSecondFactor: field(Boolean, "Whether the caller's account uses two-factor authentication. False for a service."),
  memberships: field([ShopMembershipType], "The shops that the caller has access to."),
}) {}

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
