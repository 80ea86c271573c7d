import {
  Arg,
  Authorized,
  Ctx,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { EMAIL_FORM } from "../../platform/mail/email-address.ts";
import { ShopOperation, type Operation } from "../access/operation.ts";
import type { CoreContext } from "../context.ts";
import { field, inputOf, nullable, objectOf } from "../model/fields.ts";
import { Permission } from "../model/permissions.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { Invitation } from "../model/staff/invitation.entity.ts";
import { Membership, Role } from "../model/staff/staff.entity.ts";
import { Id } from "../mutations/operation-arguments.ts";
import { requireStaff } from "./accounts/caller.ts";
import { logSecurityEvent } from "./accounts/security-log.ts";
import { inviteMember, listInvitations, INVITE, revokeInvitation } from "./invitations/invitations.ts";
import { changeMemberRole, endMemberSessions, listMembers, removeMember } from "./members/members.ts";

@InputType({ description: "A person to invite to the staff of a shop." })
class InviteMemberInput extends inputOf({
  email: field(String, `The email address. ${EMAIL_FORM}`),
  role: field(Role, "Their role in the shop."),
}) {}

@ObjectType({ description: "A new invitation.", simpleResolvers: true })
class CreatedInvitation extends objectOf({
  invitation: field(Invitation, "The invitation, without its token."),
  token: nullable(
    String,
    "The token for acceptInvitation, shown only once: send it to the invited person. Null if this service sends email, because it then emails the token itself.",
  ),
}) {}

@Authorized(Permission.SETTINGS)
@Resolver(() => Shop)
export class ShopMembersResolver {
  @FieldResolver(() => [Membership], {
    description: "The staff members of the shop, at most 250. The oldest membership comes first.",
  })
  members(@Root() shop: Shop, @Ctx() context: CoreContext): Promise<Membership[]> {
    return context.limit(listMembers, context.orm.em, shop.id);
  }

  @FieldResolver(() => [Invitation], {
    description: "Pending invitations, at most 100, and invitations that expired since the latest one. Oldest first.",
  })
  invitations(@Root() shop: Shop, @Ctx() context: CoreContext): Promise<Invitation[]> {
    return context.limit(listInvitations, context.orm.em, shop.id);
  }
}

@Resolver(() => Membership)
export class MemberResolver {
  @FieldResolver(() => ID, { description: "The ID of the account, the same in every shop." })
  id(@Root() { staff }: Membership): string {
    return staff.id;
  }

  @FieldResolver(() => String, { description: "The email address for logging in." })
  email(@Root() { staff }: Membership): string {
    return staff.email;
  }

  @FieldResolver(() => Boolean, { description: "Whether the account uses two-factor authentication." })
  hasSecondFactor(@Root() { staff }: Membership): boolean {
    return staff.secondFactorAt !== null;
  }
}

@Authorized(Permission.SETTINGS)
@Resolver()
export class MemberMutations {
  @Authorized(INVITE)
  @Mutation(() => CreatedInvitation, {
    description:
      "Invites a person by email address, for 7 days. Replaces an earlier invitation of the address to the shop. Fails with LIMIT_REACHED if 100 other invitations are pending, and with RATE_LIMITED after too many emails to the address or from the shop.",
  })
  inviteMember(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: Operation,
    @Arg("input", () => InviteMemberInput, { description: "The person to invite." }) input: InviteMemberInput,
  ): Promise<CreatedInvitation> {
    return inviteMember(operation, context, { ...input });
  }

  @Mutation(() => Boolean, { description: "Revokes an invitation. Returns false if the invitation does not exist." })
  revokeInvitation(@ShopOperation() operation: Operation, @Id("invitation") id: string): Promise<boolean> {
    return revokeInvitation(operation, id);
  }

  @Mutation(() => Membership, {
    description:
      "Changes the role of a staff member, with immediate effect. Revokes their invitations if the new role cannot invite. Fails for the last owner of a shop.",
  })
  changeMemberRole(
    @ShopOperation() operation: Operation,
    @Id("ID of the staff member", "staffId") staffId: string,
    @Arg("role", () => Role, { description: "The new role." }) role: Role,
  ): Promise<Membership> {
    return changeMemberRole(operation, staffId, role);
  }

  @Mutation(() => Boolean, {
    description:
      "Removes a staff member from the shop, with immediate effect, and revokes their invitations. Their account is kept. Fails for the last owner of a shop. Returns false if the staff member does not exist.",
  })
  removeMember(
    @ShopOperation() operation: Operation,
    @Id("ID of the staff member", "staffId") staffId: string,
  ): Promise<boolean> {
    return removeMember(operation, staffId);
  }

  @Authorized()
  @Mutation(() => Boolean, {
    description:
      "Ends your own membership, with immediate effect, and revokes your invitations. Your account is kept. Fails for the last owner of a shop and for services.",
  })
  leaveShop(@Ctx() context: CoreContext, @ShopOperation() operation: Operation): Promise<boolean> {
    const { id } = requireStaff(context);
    return removeMember(operation, id);
  }

  @Mutation(() => Int, {
    description:
      "Ends all sessions of a staff member, including those for other shops, and returns the number of ended sessions. They can log in again: if others know their password, they must change it first.",
  })
  async endMemberSessions(
    @Ctx() context: CoreContext,
    @ShopOperation() operation: Operation,
    @Id("ID of the staff member", "staffId") staffId: string,
  ): Promise<number> {
    const { staff, sessions } = await endMemberSessions(operation, staffId);
    if (sessions > 0) logSecurityEvent(context, "sessions_ended", staff.email, { sessions });
    return sessions;
  }
}
