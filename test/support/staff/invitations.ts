import type { Actor } from "../../../src/core/access/actor.ts";
import { inviteMember } from "../../../src/core/staff/invitations/invitations.ts";
import type { TestServer } from "../server.ts";

/** The token of a new invitation, which the server returns because it sends no mail. */
export async function buildInvitation(
  { app, em }: TestServer,
  shopId: string,
  actor: Actor,
  request: Parameters<typeof inviteMember>[2],
): Promise<string> {
  return (await inviteMember({ em, shop: { id: shopId }, actor }, app.core, request)).token!;
}
