import type { EntityManager } from "@mikro-orm/postgresql";
import { Arg, Ctx, FieldResolver, ID, ObjectType, Query, Resolver, Root } from "type-graphql";
import { actorName } from "../access/actor-name.ts";
import type { CoreContext } from "../context.ts";
import { field, objectOf } from "../model/fields.ts";
import { TimestampScalar } from "../model/scalars.ts";
import { Invitation } from "../model/staff/invitation.entity.ts";
import { Role } from "../model/staff/staff.entity.ts";
import { requireShop } from "../shops/shops.ts";
import { findAccount } from "./accounts/account.ts";
import { findInvitation } from "./invitations/invitations.ts";

@ObjectType({
  description: "The details of an invitation, visible with its token before it is accepted.",
  simpleResolvers: true,
})
class InvitationPreview extends objectOf({
  shopId: field(ID, "The ID of the shop to join."),
  shopName: field(String, "The name of the shop."),
  role: field(Role, "The role of the new staff member."),
  email: field(String, "The invited email address."),
  expiresAt: field(TimestampScalar, "When it expires."),
  hasAccount: field(
    Boolean,
    "Whether an account with this email address exists. If so, accept with its password. Otherwise, choose a new one.",
  ),
}) {}

@Resolver(() => Invitation)
export class InvitationResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description:
      "The email address of the staff member, or the name of the service, that created it. Null if an operator created it.",
  })
  invitedByName(@Root() { shopId, invitedBy }: Invitation, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, invitedBy);
  }
}

@Resolver()
export class InvitationQueries {
  @Query(() => InvitationPreview, {
    description:
      "The details of an invitation, by its token. No session is needed. An invalid token fails with NOT_FOUND. Use POST, because proxies may log the URL of a GET request.",
  })
  invitation(
    @Ctx() { orm, limit }: CoreContext,
    @Arg("token", () => String, { description: "The token of the invitation." }) token: string,
  ): Promise<InvitationPreview> {
    return limit(previewInvitation, orm.em, token);
  }
}

/**
 * Shows the invitation of a token. Its holder may accept it, and would learn all of this anyway.
 *
 * @throws AppError NOT_FOUND, the same for every token that cannot be used
 */
async function previewInvitation(em: EntityManager, token: string): Promise<InvitationPreview> {
  const { shopId, role, email, expiresAt } = await findInvitation(em, token, { disableIdentityMap: true });
  const { name } = await requireShop(em, shopId);
  return { shopId, shopName: name, role, email, expiresAt, hasAccount: (await findAccount(em, email)) !== null };
}
