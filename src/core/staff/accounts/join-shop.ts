import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { hasAddress } from "./account.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { Membership, type Role, type Staff } from "../../model/staff/staff.entity.ts";

/** The maximum number of members, because their list has no pages. */
const MAX_MEMBERS = 250;

/**
 * Adds a member to a locked shop, and deletes their open invitation.
 *
 * @throws AppError INVALID_STATE when they are a member already; LIMIT_REACHED when the shop has its 250
 */
export async function joinShop(em: EntityManager, shopId: string, staff: Staff, role: Role): Promise<void> {
  if ((await em.count(Membership, { shopId, staff: staff.id })) > 0) {
    throw new AppError("INVALID_STATE", `${staff.email} is already a member of this shop`);
  }
  if ((await em.count(Membership, { shopId })) >= MAX_MEMBERS) {
    throw new AppError("LIMIT_REACHED", `A shop can have at most ${MAX_MEMBERS} members`);
  }
  await em.insert(Membership, { shopId, staff: staff.id, role, createdAt: await databaseTime(em) });
  await em.nativeDelete(Invitation, { shopId, ...hasAddress(staff.email) });
}
