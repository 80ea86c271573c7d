import type { EntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { lockAccount } from "../accounts/account.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { transactional } from "../../queries/transaction.ts";

/**
 * Enables a disabled account. Returns false beside an account that was not disabled.
 *
 * @throws AppError NOT_FOUND
 */
export async function enableAccount(
  em: EntityManager,
  actor: Actor,
  email: string,
): Promise<{ account: Staff; isChanged: boolean }> {
  return transactional(em, async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (!account.disabledAt) return { account, isChanged: false };
    account.disabledAt = null;
    await auditInEachShop(transaction, actor, account, AuditAction.MEMBER_ENABLED);
    return { account, isChanged: true };
  });
}
