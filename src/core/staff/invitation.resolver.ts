import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../context.ts";
import { actorName } from "../access/actor-name.ts";
import { Invitation } from "../model/staff/invitation.entity.ts";
import { InvitationPreview, previewInvitation } from "./invitations/preview-invitation.ts";

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
