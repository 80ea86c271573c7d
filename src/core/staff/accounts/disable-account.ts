import type { EntityManager } from "@mikro-orm/postgresql";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { hasAnotherOwner } from "../members/lock-member.ts";
import { revokeInvitationsBy } from "../invitations/revoke-invitation.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { lockAccount } from "./account.ts";
import { Role, type Staff } from "../../model/staff/staff.entity.ts";
import { tellShops } from "./tell-shops.ts";

export interface DisabledAccount {
  account: Staff;
  /** False of one that was disabled before. */
  isChanged: boolean;
  /** The number of sessions that ended. */
  sessions: number;
  /** Shops of theirs that no owner can log in to now. */
  shopsWithoutOwner: string[];
}

/**
 * Keeps somebody out until the account is enabled again: no way in opens a session, and those that are open end. What they
 * have invited is revoked. Memberships, and the keys that they have made for shops, stay. Does nothing to an account that
 * is disabled already.
 *
 * @throws AppError NOT_FOUND
 */
export async function disableAccount(em: EntityManager, author: Author, email: string): Promise<DisabledAccount> {
  return em.transactional(async (transaction) => {
    const account = await lockAccount(transaction, email);
    if (account.disabledAt) return { account, isChanged: false, sessions: 0, shopsWithoutOwner: [] };
    account.disabledAt = await databaseTime(transaction);
    const sessions = await endSessions(transaction, account.id);
    const memberships = await tellShops(transaction, author, account, AuditAction.MEMBER_DISABLED);
    const shopsWithoutOwner: string[] = [];
    for (const { shopId, role, staff } of memberships) {
      await revokeInvitationsBy({ em: transaction, shop: { id: shopId }, author }, staff.id);
      if (role === Role.OWNER && !(await hasAnotherOwner(transaction, shopId, staff.id)))
        shopsWithoutOwner.push(shopId);
    }
    return { account, isChanged: true, sessions, shopsWithoutOwner };
  });
}
