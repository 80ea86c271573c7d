import type { Invitation } from "../../../core/model/staff/invitation.entity.ts";
import type { Letter } from "../../../platform/mail/letter.ts";
import { formatTime } from "./format-time.ts";

/** Contains the link to join a shop. */
export function invitationLetter(
  { role, expiresAt }: Pick<Invitation, "role" | "expiresAt">,
  { shopName, token, baseUrl }: { shopName: string; token: string; baseUrl: string },
): Letter {
  return {
    subject: `Join the staff of ${shopName}`,
    paragraphs: [
      `You're invited to join the staff of ${shopName} as ${role.toLowerCase()}. Staff manage the shop's products, orders and customers in Admin.`,
      `The link works once and expires at ${formatTime(expiresAt)}. Choose a password, or log in if you already have an account.`,
    ],
    link: { label: `Join ${shopName}`, url: `${baseUrl}/admin/join#${token}` },
    footer: `${shopName} sent this invitation. If you don't know the shop, ignore this email.`,
  };
}
