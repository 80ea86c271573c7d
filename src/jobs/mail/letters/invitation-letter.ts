import type { Invitation } from "../../../core/staff/invitations/invitation.entity.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

/** Brings the token that joins a shop. */
export function invitationLetter(
  { role, expiresAt }: Pick<Invitation, "role" | "expiresAt">,
  { shopName, token, baseUrl }: { shopName: string; token: string; baseUrl: string },
): Letter {
  return {
    subject: `Join the staff of ${shopName}`,
    paragraphs: [
      `You are invited to join the staff of ${shopName} as ${role.toLowerCase()}. This link works once, until ${formatTime(expiresAt)}.`,
      `Or in GraphQL at ${baseUrl}/graphql, where the token is what stands behind # in the link: ` +
        'mutation { acceptInvitation(token: "TOKEN", password: "PASSWORD") { id } }',
      "Choose a password, or type the one of the account that you have already.",
    ],
    link: { label: "Join", url: `${baseUrl}/admin/join#${token}` },
    footer: "If you do not know this shop, there is nothing to do.",
  };
}
