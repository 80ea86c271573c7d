import type { Invitation } from "../../../core/model/staff/invitation.entity.ts";
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
      `You are invited to join the staff of ${shopName} as ${role.toLowerCase()}. They look after its products, orders and customers in Admin, which this link opens.`,
      `The link works once, until ${formatTime(expiresAt)}. Choose a password there, or type the one of the account that you have already.`,
    ],
    link: { label: `Join ${shopName}`, url: `${baseUrl}/admin/join#${token}` },
    footer: `Somebody at ${shopName} entered this address. If you do not know the shop, ignore this mail.`,
  };
}
