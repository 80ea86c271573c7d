import type { EntityManager } from "@mikro-orm/postgresql";
import { system } from "../../access/actor.ts";
import { findAccount } from "../accounts/account.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import type { LoginFailureJob } from "./queue-login-failure.sql.ts";
import { transactional } from "../../queries/transaction.ts";

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
