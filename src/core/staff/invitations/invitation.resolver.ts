import { Arg, Ctx, FieldResolver, Query, Resolver, Root } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { actorName } from "../../access/actor-name.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { InvitationPreview, previewInvitation } from "./preview-invitation.ts";

@Resolver(() => Invitation)
export class InvitationResolver {
  @FieldResolver(() => String, {
    nullable: true,
    description: "The e-mail address of whoever made it; null for an operator.",
  })
  invitedByName(@Root() { shopId, invitedBy }: Invitation, @Ctx() context: CoreContext): Promise<string | null> {
    return actorName(context, shopId, invitedBy);
  }
}

@Resolver()
export class InvitationQueries {
  @Query(() => InvitationPreview, {
    description:
      "What the invitation of a token is to. No session is needed. A token that cannot be used is refused with NOT_FOUND. " +
      "Ask by POST: servers on the way may log the address of a GET.",
  })
  invitation(
    @Ctx() { orm, limit }: CoreContext,
    @Arg("token", () => String, { description: "Of the invitation." }) token: string,
  ): Promise<InvitationPreview> {
    return limit(previewInvitation, orm.em, token);
  }
}
