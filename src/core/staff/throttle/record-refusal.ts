import type { EntityManager } from "@mikro-orm/postgresql";
import { system } from "../../access/author.ts";
import { findAccount } from "../accounts/account.ts";
import { tellShops } from "../accounts/tell-shops.ts";
import type { RefusalJob } from "./tell-refusal.sql.ts";

/** Tells each shop of an account, if there is one, that somebody was refused at `at`. Who that was is not known. */
export async function recordRefusal(em: EntityManager, job: RefusalJob, at: Date): Promise<void> {
  const { action, email, ...origin } = job;
  await em.transactional(async (transaction) => {
    const account = await findAccount(transaction, email);
    if (account) await tellShops(transaction, { ...system, ...origin }, account, action, { at });
  });
}
