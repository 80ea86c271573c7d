// Text, since one statement counts and adds a job by a function of graphile-worker, whether or not there is an account.
import type { EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { kysely, query } from "../../queries/database.ts";
import { COUNT_ONE, digestKey } from "./throttle-counter.sql.ts";

/** The task of graphile-worker that tells the shops of an account that somebody was refused. */
export const RECORD_REFUSAL = "record-refusal";

/** A password was wrong, the code beside a right one was, or nobody looked after too many of them. */
export type Refusal =
  | AuditAction.MEMBER_LOGIN_REFUSED
  | AuditAction.MEMBER_CODE_REFUSED
  | AuditAction.MEMBER_LOCKED_OUT;

/** The payload of its jobs: what was refused, the address of the account as it was typed, and where. */
export interface RefusalJob extends Origin {
  action: Refusal;
  email: string;
}

// Behind webhooks and mails: strangers cause it.
const addJob = {
  name: "tell refusal",
  text: `with first as (${COUNT_ONE})
    select graphile_worker.add_job('${RECORD_REFUSAL}', payload => $3::json, priority => 3) from first`,
};

/**
 * Has the shops of an account told that somebody was refused: of the first of a kind in a window, however many follow. It
 * does the same, and takes as long, whether or not there is such an account: the job finds out.
 */
export async function tellRefusal(
  em: EntityManager,
  action: Refusal,
  { email, origin: { address, userAgent } }: { email: string; origin: Origin },
): Promise<void> {
  const job: RefusalJob = { action, email, address, userAgent };
  await query(kysely(em), addJob, [digestKey(action, addressKey(email)), 1, JSON.stringify(job)]);
}
