// Text, since one statement counts, and adds a job with a function of graphile-worker, whether or not the account
// exists.
import type { EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { system } from "../../access/actor.ts";
import type { Origin } from "../../context.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { kysely, query } from "../../queries/database.ts";
import { transactional } from "../../queries/transaction.ts";
import { findAccount, auditInEachShop } from "../accounts/account.ts";
import { COUNT_ONE, digestKey } from "./throttle-counter.sql.ts";

/** The task of graphile-worker that audits failed logins. */
export const AUDIT_LOGIN_FAILURE = "audit-login-failure";

/** The kind of failure: a wrong password, a wrong code, or a lock-out after too many of them. */
export type LoginFailure = Extract<AuditAction, "MEMBER_LOGIN_REFUSED" | "MEMBER_CODE_REFUSED" | "MEMBER_LOCKED_OUT">;

/** The payload of its jobs: the failure, the address as typed, and its origin. */
export interface LoginFailureJob extends Origin {
  action: LoginFailure;
  email: string;
}

// Below the priority of webhooks and mails, because anyone can cause it.
const addJob = {
  name: "queue login failure",
  text: `with first as (${COUNT_ONE})
    select graphile_worker.add_job('${AUDIT_LOGIN_FAILURE}', payload => $3::json, priority => 3) from first`,
};

/**
 * Queues an audit entry for the first failure of a kind in a window. It does the same work and takes as long for an
 * unknown account, which only the job looks up.
 */
export async function queueLoginFailure(
  em: EntityManager,
  action: LoginFailure,
  { email, origin: { address, userAgent } }: { email: string; origin: Origin },
): Promise<void> {
  const job: LoginFailureJob = { action, email, address, userAgent };
  await query(kysely(em), addJob, [digestKey(action, addressKey(email)), 1, JSON.stringify(job)]);
}

/**
 * Adds an audit entry to each shop of the account, if it exists, for a login that failed at `at`. The actor is
 * unknown.
 */
export async function auditLoginFailure(em: EntityManager, job: LoginFailureJob, at: Date): Promise<void> {
  const { action, email, ...origin } = job;
  await transactional(em, async (transaction) => {
    const account = await findAccount(transaction, email);
    if (account) await auditInEachShop(transaction, { ...system, ...origin }, account, action, { at });
  });
}
