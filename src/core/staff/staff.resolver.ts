import { Arg, Ctx, Field, ID, Mutation, ObjectType, Query, Resolver } from "type-graphql";
import { AppError } from "../../platform/errors.ts";
import type { CoreContext, SessionHandle } from "../context.ts";
import { Permission, type ShopMembership } from "../permissions.ts";
import { Shop } from "../shops/shop.entity.ts";
import { logIn, logOut, type PublicStaff } from "./sessions.ts";
import { Staff } from "./staff.entity.ts";

@ObjectType("ShopMembership", { description: "What the caller may do in one shop.", simpleResolvers: true })
class ShopMembershipType {
  @Field(() => Shop)
  shop!: Shop;

  @Field(() => [Permission])
  permissions!: Permission[];
}

@ObjectType({ description: "Who is asking.", simpleResolvers: true })
class Viewer {
  @Field(() => ID)
  id!: string;

  @Field(() => [ShopMembershipType])
  memberships!: ShopMembershipType[];
}

@Resolver()
export class StaffResolver {
  @Query(() => Viewer, { nullable: true, description: "Who is asking; null without a session." })
  viewer(@Ctx() { actor }: CoreContext): Viewer | undefined {
    if (!actor) return undefined;
    const memberships = [...actor.memberships.values()].map(({ shop, permissions }: ShopMembership) => ({
      shop,
      permissions: [...permissions],
    }));
    return { id: actor.id, memberships };
  }

  @Mutation(() => Staff, { description: "Opens a session, kept in a cookie for 12 hours." })
  async logIn(
    @Ctx() context: CoreContext,
    @Arg("email", () => String) email: string,
    @Arg("password", () => String) password: string,
  ): Promise<PublicStaff> {
    const session = requireSession(context);
    const { token, expiresAt, staff } = await logIn(context.orm.em, email, password);
    session.store(token, expiresAt);
    return staff;
  }

  @Mutation(() => Boolean, { description: "Ends the session of the cookie. False when there was none." })
  async logOut(@Ctx() context: CoreContext): Promise<boolean> {
    const session = requireSession(context);
    if (session.token === undefined) return false;
    await logOut(context.orm.em, session.token);
    session.clear();
    return true;
  }
}

function requireSession(context: CoreContext): SessionHandle {
  if (!context.session) throw new AppError("FORBIDDEN", "This face has no sessions");
  return context.session;
}
