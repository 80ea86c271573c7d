// Text, since jobs are added by a function of graphile-worker that takes an array of its own type.
import type { EntityManager } from "@mikro-orm/postgresql";
import { AuditAction } from "../model/shops/audit-entry.entity.ts";
import { kysely, query } from "../queries/database.ts";
import type { Notice } from "../model/notifications/notice.entity.ts";
import type { NotificationKind } from "../model/notifications/notification-kind.ts";

/** The task of graphile-worker that sends one mail to one person. */
export const SEND_MAIL = "send-mail";

/** The actions of the audit log of which the account's owner hears by mail. */
export const toldActions = [
  AuditAction.MEMBER_SECOND_FACTOR_ENABLED,
  AuditAction.MEMBER_SECOND_FACTOR_DISABLED,
  AuditAction.MEMBER_RECOVERY_CODE_USED,
  AuditAction.MEMBER_RECOVERY_CODES_REPLACED,
] as const;

/** Changes of an account, of which its owner is told in any case. */
export type AccountChange = "PASSWORD_CHANGED" | (typeof toldActions)[number];

/** A notice as a job has it. */
export type ToldNotice = Pick<Notice, "targetName" | "count" | "details"> & { createdAt: string };

/** The payload of its jobs. The mail is written when it is sent, from what is true then. */
export type MailJob = ResetJob | AskedMailJob;

/** As it was typed: the account may come or go before the mail is written. */
interface ResetJob {
  mail: "PASSWORD_RESET";
  email: string;
}

/** Mails that somebody with an account causes, or the service itself. */
export type AskedMailJob =
  /** The token is sealed, and bound to the invitation. */
  | { mail: "INVITATION"; shopId: string; invitationId: string; sealedToken: string }
  | { mail: AccountChange; staffId: string }
  | { mail: "DIGEST"; shopId: string; staffId: string; kind: NotificationKind; notices: ToldNotice[] };

/**
 * Mails that are sent at a time, by all workers: each is from a queue of its own. Password resets have as many queues of
 * their own, so that other mails do not wait for them.
 */
const QUEUES = 4;
/** Resets for unknown addresses, which send nothing. A queue does about one job a second. */
const UNKNOWN_QUEUES = 16;

// Behind the webhooks, so that however many mails wait, a fetch of jobs finds those first.
const addMails = {
  name: "add mails",
  text: `
  select graphile_worker.add_jobs(specs) from (
    select array_agg(row('${SEND_MAIL}', mail, 'mail ' || floor(random() * ${QUEUES}), null, null, null,
      case mail->>'mail' when 'DIGEST' then 2 else 1 end, null)::graphile_worker.job_spec) as specs
    from json_array_elements($1::json) as mail
  ) added where specs is not null`,
};

// An unknown address costs the same, in a queue that nothing else waits in.
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

/** Adds the job of a password reset. An unknown address takes as long. */
export async function sendReset(em: EntityManager, email: string, isKnown: boolean): Promise<void> {
  const mail: ResetJob = { mail: "PASSWORD_RESET", email };
  await query(kysely(em), addReset, [JSON.stringify(mail), isKnown]);
}

/** Tells somebody by mail what happened to their account, in the transaction of the change. */
export async function tellAccount(em: EntityManager, staffId: string, change: AccountChange): Promise<void> {
  await sendMails(em, [{ mail: change, staffId }]);
}

/** The owner that the sealed token of an invitation is bound to. */
export function tokenOwner(invitation: { shopId: string; id: string }): string {
  return `invitation/${invitation.shopId}/${invitation.id}`;
}
