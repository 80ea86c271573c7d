import type { EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { COUNT_ONE, digestKey } from "./throttle-counter.ts";

/** The task of graphile-worker that tells the shops of an account that somebody was refused. */
export const AUDIT_LOGIN_FAILURE = "audit-login-failure";

/** A password was wrong, the code beside a right one was, or nobody looked after too many of them. */
export type LoginFailure =
  | AuditAction.MEMBER_LOGIN_REFUSED
  | AuditAction.MEMBER_CODE_REFUSED
  | AuditAction.MEMBER_LOCKED_OUT;

/** The payload of its jobs: what was refused, the address of the account as it was typed, and where. */
export interface LoginFailureJob extends Origin {
  action: LoginFailure;
  email: string;
}

// Behind webhooks and mails: strangers cause it.
const addJob = `
  with first as (${COUNT_ONE})
  select graphile_worker.add_job('${AUDIT_LOGIN_FAILURE}', payload => $3::json, priority => 3) from first`;

/**
 * Has the shops of an account told that somebody was refused: of the first of a kind in a window, however many follow. It
 * does the same, and takes as long, whether or not there is such an account: the job finds out.
 */
export async function queueLoginFailure(
  em: EntityManager,
  action: LoginFailure,
  { email, origin: { address, userAgent } }: { email: string; origin: Origin },
): Promise<void> {
  const job: LoginFailureJob = { action, email, address, userAgent };
  await runStatement(kysely(em), addJob, [digestKey(action, addressKey(email)), 1, JSON.stringify(job)]);
}
