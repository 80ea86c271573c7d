import {
  Arg,
  Authorized,
  Ctx,
  Field,
  FieldResolver,
  ID,
  InputType,
  Int,
  Mutation,
  ObjectType,
  Resolver,
  Root,
} from "type-graphql";
import { EMAIL_FORM, ShopId } from "../../schema/operation-arguments.ts";
import { operationOf } from "../../access/operation.ts";
import type { CoreContext } from "../../context.ts";
import { Permission } from "../../model/permissions.ts";
import { Shop } from "../../model/shops/shop.entity.ts";
import { changeMemberRole } from "./change-member-role.ts";
import { endMemberSessions } from "./end-member-sessions.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { inviteMember } from "../invitations/invite-member.ts";
import { listInvitations } from "../invitations/list-invitations.ts";
import { listMembers } from "./list-members.ts";
import { INVITE } from "../invitations/may-invite.ts";
import { removeMember } from "./remove-member.ts";
import { revokeInvitation } from "../invitations/revoke-invitation.ts";
import { Membership, Role } from "../../model/staff/staff.entity.ts";
import { requireStaff } from "../sessions/caller.ts";
import { logSecurityEvent } from "../security-log.ts";

@InputType({ description: "A person to join a shop's staff." })
class InviteMemberInput {
  @Field(() => String, { description: `The e-mail address. ${EMAIL_FORM}` })
  email!: string;

  @Field(() => Role, { description: "What they may do in the shop." })
  role!: Role;
}

@ObjectType({ description: "A new invitation.", simpleResolvers: true })
class CreatedInvitation {
  @Field(() => Invitation, { description: "Without its token." })
  invitation!: Invitation;

  @Field(() => String, {
    nullable: true,
    description:
      "For acceptInvitation. Null where this service sends mail: then the token is in one to the invited address alone. " +
      "Otherwise it is shown here once and never again: send it to them.",
  })
  token!: string | null;
}

@Resolver(() => Shop)
export class ShopMembersResolver {
  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [Membership], {
    description: "The members of the shop, oldest membership first. At most 250.",
  })
  members(@Root() shop: Shop, @Ctx() context: CoreContext): Promise<Membership[]> {
    return context.limit(listMembers, context.orm.em, shop.id);
  }

  @Authorized(Permission.SETTINGS)
  @FieldResolver(() => [Invitation], {
    description:
      "Invitations that wait to be accepted, at most 100, and those that have expired since the last. Oldest first.",
  })
  invitations(@Root() shop: Shop, @Ctx() context: CoreContext): Promise<Invitation[]> {
    return context.limit(listInvitations, context.orm.em, shop.id);
  }
}

@Resolver(() => Membership)
export class MemberResolver {
  @FieldResolver(() => ID, { description: "Of the person, whatever shops they work for." })
  id(@Root() { staff }: Membership): string {
    return staff.id;
  }

  @FieldResolver(() => String, { description: "What they log in with." })
  email(@Root() { staff }: Membership): string {
    return staff.email;
  }

  @FieldResolver(() => Boolean, { description: "True when their login takes a code beside the password." })
  hasSecondFactor(@Root() { staff }: Membership): boolean {
    return staff.secondFactorAt !== null;
  }
}

@Resolver()
export class MemberMutations {
  @Authorized(INVITE)
  @Mutation(() => CreatedInvitation, {
    description:
      "Invites an address for 7 days. An earlier invitation of the address to the shop is replaced. Refused with " +
      "LIMIT_REACHED while 100 others wait, and with RATE_LIMITED after too many mails to the address or of the shop.",
  })
  inviteMember(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("input", () => InviteMemberInput, { description: "Whom to invite." }) input: InviteMemberInput,
  ): Promise<CreatedInvitation> {
    return inviteMember(operationOf(context, shopId), context, { ...input });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Boolean, { description: "Takes an invitation back. False when there is none with this id." })
  revokeInvitation(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("id", () => ID, { description: "The invitation." }) id: string,
  ): Promise<boolean> {
    return revokeInvitation(operationOf(context, shopId), id);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Membership, {
    description:
      "Gives a member another role, at once. When it may not invite, their invitations are revoked. The last owner of a " +
      "shop stays one.",
  })
  changeMemberRole(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("staffId", () => ID, { description: "The id of the member." }) staffId: string,
    @Arg("role", () => Role, { description: "Their new role." }) role: Role,
  ): Promise<Membership> {
    return changeMemberRole(operationOf(context, shopId), staffId, { role });
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Boolean, {
    description:
      "Ends a membership, at once, and revokes what the member has invited. The person's account stays. The last owner of " +
      "a shop cannot be removed. False when there is no such member.",
  })
  removeMember(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("staffId", () => ID, { description: "The id of the member." }) staffId: string,
  ): Promise<boolean> {
    return removeMember(operationOf(context, shopId), staffId);
  }

  @Authorized()
  @Mutation(() => Boolean, {
    description:
      "Ends the caller's own membership, whatever their role, at once, and revokes what they have invited. Their account " +
      "stays. The last owner of a shop cannot leave, nor can a service.",
  })
  leaveShop(@Ctx() context: CoreContext, @ShopId() shopId: string): Promise<boolean> {
    const { id } = requireStaff(context);
    return removeMember(operationOf(context, shopId), id);
  }

  @Authorized(Permission.SETTINGS)
  @Mutation(() => Int, {
    description:
      "Ends every session of a member, also those in which they work for other shops, and answers how many there were. " +
      "They may log in again: somebody whose password is known to others changes it first.",
  })
  async endMemberSessions(
    @Ctx() context: CoreContext,
    @ShopId() shopId: string,
    @Arg("staffId", () => ID, { description: "The id of the member." }) staffId: string,
  ): Promise<number> {
    const { staff, sessions } = await endMemberSessions(operationOf(context, shopId), staffId);
    if (sessions > 0) logSecurityEvent(context, "sessions_ended", staff.email, { sessions });
    return sessions;
  }
}
