import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { isId } from "../../model/ids.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { Membership, Role } from "../../model/staff/staff.entity.ts";

/** Finds a member with their account, or null. The shop's lock makes changes of its members run one after another. */
export async function lockMember(em: EntityManager, shopId: string, staffId: string): Promise<Membership | null> {
  await lockShop(em, shopId);
  return isId(staffId) ? em.findOne(Membership, { shopId, staff: staffId }, { populate: ["staff"] }) : null;
}

/** @throws AppError INVALID_STATE when the member is the only one who may manage the shop */
export async function requireAnotherOwner(em: EntityManager, { shopId, role, staff }: Membership): Promise<void> {
  if (role !== Role.OWNER || (await hasAnotherOwner(em, shopId, staff.id))) return;
  const hint = "Make another member an owner first.";
  throw new AppError("INVALID_STATE", "A shop must have at least one owner", { hint });
}

/** Returns true when the shop has another owner who can log in. */
export async function hasAnotherOwner(em: EntityManager, shopId: string, staffId: string): Promise<boolean> {
  const others = { id: { $ne: staffId }, disabledAt: null };
  return (await em.count(Membership, { shopId, role: Role.OWNER, staff: others })) > 0;
}
