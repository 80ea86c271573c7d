// Text, since a function of graphile-worker adds jobs from an array of a composite type.
import type { EntityManager } from "@mikro-orm/postgresql";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { kysely, query } from "../queries/database.ts";
import type { Notice } from "../model/notifications/notice.entity.ts";
import type { NotificationKind } from "../model/notifications/notification-kind.ts";

/** The task of graphile-worker that sends one mail to one person. */
export const SEND_MAIL = "send-mail";

/** Audit actions that are mailed to the account's owner. */
export const mailedActions = [
  AuditAction.MEMBER_SECOND_FACTOR_ENABLED,
  AuditAction.MEMBER_SECOND_FACTOR_DISABLED,
  AuditAction.MEMBER_RECOVERY_CODE_USED,
  AuditAction.MEMBER_RECOVERY_CODES_REPLACED,
] as const;

/** Changes of an account that are always mailed to its owner. */
export type AccountChange = "PASSWORD_CHANGED" | (typeof mailedActions)[number];

/** A notice in the payload of a job. */
export type DigestNotice = Pick<Notice, "targetName" | "count" | "details"> & { createdAt: string };

/** The payload of its jobs. The mail is written when it is sent, from the current data. */
export type MailJob = ResetJob | AskedMailJob;

/** The address as typed, because the account may be created or deleted before the mail is written. */
interface ResetJob {
  mail: "PASSWORD_RESET";
  email: string;
}

/** Mails caused by someone with an account, or by the service. */
export type AskedMailJob =
  /** The token is encrypted and bound to the invitation. */
  | { mail: "INVITATION"; shopId: string; invitationId: string; sealedToken: string }
  | { mail: AccountChange; staffId: string }
  | { mail: "DIGEST"; shopId: string; staffId: string; kind: NotificationKind; notices: DigestNotice[] };

/**
 * The number of mails sent at a time by all workers, each from its own queue. Password resets have the same number of
 * separate queues, so that other mails do not delay them.
 */
const QUEUES = 4;
/** Queues of resets for unknown addresses, which send nothing. A queue runs about one job a second. */
const UNKNOWN_QUEUES = 16;

// Below the priority of webhooks, so that waiting mails do not delay them.
const addMails = {
  name: "add mails",
  text: `
  select graphile_worker.add_jobs(specs) from (
    select array_agg(row('${SEND_MAIL}', mail, 'mail ' || floor(random() * ${QUEUES}), null, null, null,
      case mail->>'mail' when 'DIGEST' then 2 else 1 end, null)::graphile_worker.job_spec) as specs
    from json_array_elements($1::json) as mail
  ) added where specs is not null`,
};

// An unknown address takes as long, in a queue without other jobs.
const addReset = {
  name: "add password reset",
  text: `
  select graphile_worker.add_job('${SEND_MAIL}', payload => $1::json, priority => case when $2::boolean then 2 else 3 end,
    queue_name => case when $2::boolean then 'reset ' || floor(random() * ${QUEUES})
      else 'unknown reset ' || floor(random() * ${UNKNOWN_QUEUES}) end)`,
};

/** Adds a job for each mail, in the transaction of its cause. */
export async function sendMails(em: EntityManager, mails: readonly AskedMailJob[]): Promise<void> {
  await query(kysely(em), addMails, [JSON.stringify(mails)]);
}

/** Adds the job of a password reset. It takes as long for an unknown address. */
export async function sendReset(em: EntityManager, email: string, isKnown: boolean): Promise<void> {
  const mail: ResetJob = { mail: "PASSWORD_RESET", email };
  await query(kysely(em), addReset, [JSON.stringify(mail), isKnown]);
}

/** Mails a change of an account to its owner, in the transaction of the change. */
export async function notifyAccount(em: EntityManager, staffId: string, change: AccountChange): Promise<void> {
  await sendMails(em, [{ mail: change, staffId }]);
}

/** The owner to which the encrypted token of an invitation is bound. */
export function tokenOwner(invitation: { shopId: string; id: string }): string {
  return `invitation/${invitation.shopId}/${invitation.id}`;
}
