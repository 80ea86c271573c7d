import type { EntityManager } from "@mikro-orm/postgresql";
import { system } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { findAccount } from "../accounts/account.ts";
import { tellShops } from "../accounts/tell-shops.ts";
import type { LockOutJob } from "./tell-lock-out.ts";

/** Tells each shop of an account, if there is one, that somebody was refused at `at`. Who that was is not known. */
export async function recordLockOut(em: EntityManager, { email, ...origin }: LockOutJob, at: Date): Promise<void> {
  await em.transactional(async (transaction) => {
    const account = await findAccount(transaction, email);
    if (account) await tellShops(transaction, { ...system, ...origin }, account, AuditAction.MEMBER_LOCKED_OUT, { at });
  });
}
