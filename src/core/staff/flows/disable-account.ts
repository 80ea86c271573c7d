import type { EntityManager } from "@mikro-orm/postgresql";
import type { Actor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Role, type Staff } from "../../model/staff/staff.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { hasAnotherOwner, lockAccount, auditInEachShop } from "../accounts/account.ts";
import { revokeInvitationsBy } from "../invitations/invitations.ts";
import { endSessions } from "../sessions/sessions.ts";

export interface DisabledAccount {
  account: Staff;
  /** False when it was already disabled. */
  isChanged: boolean;
  /** The number of ended sessions. */
  sessions: number;
  /** The account's shops without an owner who can log in. */
  shopsWithoutOwner: string[];
}

/**
 * Disables an account until it is enabled again: no login opens a session, open sessions end, and its invitations are
 * revoked. Memberships, and keys created for shops, stay. Does nothing when it is already disabled.
 *
 * @throws AppError NOT_FOUND
 */
export async function disableAccount(em: EntityManager, actor: Actor, email: string): Promise<DisabledAccount> {
  return transactional(em, async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account.disabledAt) return { account, isChanged: false, sessions: 0, shopsWithoutOwner: [] };
    account.disabledAt = await databaseTime(transaction);
    const sessions = await endSessions(transaction, account.id);
    const memberships = await auditInEachShop(transaction, actor, account, AuditAction.MEMBER_DISABLED);
    const shopsWithoutOwner: string[] = [];
    for (const { shopId, role, staff } of memberships) {
      await revokeInvitationsBy({ em: transaction, shop: { id: shopId }, actor }, staff.id);
      if (role === Role.OWNER && !(await hasAnotherOwner(transaction, shopId, staff.id)))
        shopsWithoutOwner.push(shopId);
    }
    return { account, isChanged: true, sessions, shopsWithoutOwner };
  });
}

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
