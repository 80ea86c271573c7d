import { sql, type EntityManager } from "@mikro-orm/postgresql";
import { tokenOwner, type MailJob } from "../../core/notifications/mail-jobs.sql.ts";
import { findRecipients } from "../../core/notifications/recipients.ts";
import { Shop } from "../../core/model/shops/shop.entity.ts";
import { findAccount } from "../../core/staff/accounts/account.ts";
import { issueResetToken } from "../../core/staff/flows/passwords.ts";
import { Staff } from "../../core/model/staff/staff.entity.ts";
import { Invitation } from "../../core/model/staff/invitation.entity.ts";
import { mayStillInvite } from "../../core/staff/invitations/invitations.ts";
import type { Encryption } from "../../platform/encryption.ts";
import { renderLetter, type Letter } from "../../platform/mail/letter.ts";
import type { Mail } from "../../platform/mail/mailer.ts";
import { accountLetter, resetLetter, invitationLetter, digestLetter } from "./letters.ts";

export interface WritingServices {
  em: EntityManager;
  encryption: Pick<Encryption, "open">;
  baseUrl: string;
}

type Of<Kind extends MailJob["mail"]> = Extract<MailJob, { mail: Kind }>;

const fresh = { disableIdentityMap: true } as const;

/** Writes the mail of a job that was added at `at`; undefined when it is no longer needed. */
export function writeMail(services: WritingServices, job: MailJob, at: Date): Promise<Mail | undefined> {
  switch (job.mail) {
    case "INVITATION":
      return writeInvitation(services, job);
    case "PASSWORD_RESET":
      return writeReset(services, job);
    case "DIGEST":
      return writeDigest(services, job);
    default:
      return writeAccountChange(services, job, at);
  }
}

async function writeInvitation(
  { em, encryption, baseUrl }: WritingServices,
  { shopId, invitationId: id, sealedToken }: Of<"INVITATION">,
): Promise<Mail | undefined> {
  const invitation = await em.findOne(Invitation, { shopId, id, expiresAt: { $gt: sql.now() } }, fresh);
  if (!invitation || !(await mayStillInvite(em, invitation))) return undefined;
  const shopName = await nameOf(em, shopId);
  const token = encryption.open(sealedToken, tokenOwner(invitation));
  return mail(invitation.email, invitationLetter(invitation, { shopName, token, baseUrl }), shopName);
}

async function writeReset(
  { em, baseUrl }: WritingServices,
  { email }: Of<"PASSWORD_RESET">,
): Promise<Mail | undefined> {
  const account = await findAccount(em, email);
  const token = account && (await issueResetToken(em, account.email));
  return token ? mail(account.email, resetLetter(token, baseUrl)) : undefined;
}

async function writeDigest(
  { em }: WritingServices,
  { shopId, staffId, kind, notices }: Of<"DIGEST">,
): Promise<Mail | undefined> {
  const [recipient] = await findRecipients(em, { shopId, kind, staffId });
  if (!recipient) return undefined;
  const shopName = await nameOf(em, shopId);
  return mail(recipient.staff.email, digestLetter(kind, notices, shopName), shopName);
}

async function writeAccountChange(
  { em, baseUrl }: WritingServices,
  { mail: change, staffId }: Exclude<MailJob, Of<"INVITATION" | "PASSWORD_RESET" | "DIGEST">>,
  at: Date,
): Promise<Mail | undefined> {
  const account = await em.findOne(Staff, { id: staffId }, fresh);
  return account ? mail(account.email, accountLetter(change, at, baseUrl)) : undefined;
}

async function nameOf(em: EntityManager, shopId: string): Promise<string> {
  return (await em.findOneOrFail(Shop, { id: shopId }, fresh)).name;
}

function mail(to: string, letter: Letter, fromName?: string): Mail {
  return { to, fromName, ...renderLetter(letter) };
}
