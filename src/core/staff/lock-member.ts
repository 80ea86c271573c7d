import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { projections, runStatement } from "../database.ts";
import { lockShop } from "../shops/lock-shop.ts";
import { findMember, type Member } from "./list-members.ts";
import { Role } from "./staff.entity.ts";

/** The member, in a shop that is locked: its members change one after another. Undefined when there is none. */
export async function lockMember(em: EntityManager, shopId: string, staffId: string): Promise<Member | undefined> {
  await lockShop(em, shopId);
  return findMember(projections(em), shopId, staffId);
}

/** @throws AppError INVALID_STATE when the member is the only one who may manage the shop */
export async function requireAnotherOwner(em: EntityManager, shopId: string, member: Member): Promise<void> {
  if (member.role !== Role.OWNER) return;
  const text = "select 1 from memberships where shop_id = $1 and role = $2 and staff_id <> $3 limit 1";
  const others = await runStatement(projections(em), text, [shopId, Role.OWNER, member.id]);
  if (others.length > 0) return;
  const hint = "Make somebody else an owner first.";
  throw new AppError("INVALID_STATE", "A shop keeps at least one owner", { hint });
}
