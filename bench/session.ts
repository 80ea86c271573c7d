import type { EntityManager } from "@mikro-orm/postgresql";
import { unknownOrigin } from "../src/core/context.ts";
import type { Role } from "../src/core/model/staff/staff.entity.ts";
import { createAccount } from "../src/core/staff/accounts/account.ts";
import { joinShop } from "../src/core/staff/members/join-shop.ts";
import { openSession } from "../src/core/staff/sessions/open-session.ts";

/** Creates a member of a shop, and returns the token of its session. */
export async function openSessionIn(em: EntityManager, shop: { id: string }, role: Role): Promise<string> {
  return em.transactional(async (transaction) => {
    const email = `${role.toLowerCase()}@${shop.id.replace("_", "-")}.example`;
    const staff = await createAccount(transaction, { email, passwordHash: "none" });
    await joinShop(transaction, shop.id, staff, role);
    return (await openSession(transaction, staff, unknownOrigin))!.token;
  });
}
