import { Arg, Ctx, Query, Resolver } from "type-graphql";
import type { CoreContext } from "../../context.ts";
import { InvitationPreview, previewInvitation } from "./preview-invitation.ts";

@Resolver()
export class InvitationQueries {
  @Query(() => InvitationPreview, {
    description:
      "What the invitation of a token is to. No session is needed. A token that cannot be used is refused with NOT_FOUND. " +
      "Ask by POST: servers on the way may log the address of a GET.",
  })
  invitation(
    @Ctx() { orm }: CoreContext,
    @Arg("token", () => String, { description: "Of the invitation." }) token: string,
  ): Promise<InvitationPreview> {
    return previewInvitation(orm.em, token);
  }
}
