import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../platform/errors.ts";
import { projections, runStatement } from "../database.ts";
import type { PublicStaff } from "./account.ts";
import type { Role } from "./staff.entity.ts";

/**
 * Makes somebody a member of a shop that the caller has locked. An invitation that waits for them is of no
 * further use.
 *
 * @throws AppError INVALID_STATE when they are a member already
 */
export async function joinShop(em: EntityManager, shopId: string, staff: PublicStaff, role: Role): Promise<void> {
  const database = projections(em);
  const joined = await runStatement(
    database,
    `insert into memberships (shop_id, staff_id, role, created_at) values ($1, $2, $3, now())
    on conflict do nothing returning staff_id`,
    [shopId, staff.id, role],
  );
  if (joined.length === 0) throw new AppError("INVALID_STATE", `${staff.email} is a member of this shop already`);
  const text = "delete from invitations where shop_id = $1 and lower(email) = $2";
  await runStatement(database, text, [shopId, staff.email.toLowerCase()]);
}
