import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { invalidInput } from "../../errors.ts";
import type { Author } from "../../access/author.ts";
import { AuditAction } from "../../audit/audit-entry.entity.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { parseInput } from "../../validation/input.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { createAccount, findAccount } from "../accounts/account.ts";
import { joinShop } from "./join-shop.ts";
import { hashPassword, newPassword } from "../accounts/password.ts";
import { Role, type Staff } from "../accounts/staff.entity.ts";

const addMemberSchema = z.strictObject({
  email: z.email().max(254),
  role: z.enum(Role),
  /** The password of a new account, for an address that has none yet. */
  password: newPassword.optional(),
});

/**
 * Makes somebody a member of a shop, with a new account unless they have one.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; INVALID_STATE when they are a member already
 */
export async function addMember(
  em: EntityManager,
  shopId: string,
  author: Author,
  request: z.input<typeof addMemberSchema>,
): Promise<Staff> {
  const { email, role, password } = parseInput(addMemberSchema, request);
  const passwordHash = password === undefined ? undefined : await hashPassword(password);
  return em.transactional(async (transaction) => {
    await lockShop(transaction, shopId);
    const known = await findAccount(transaction, email);
    if (!known && passwordHash === undefined) {
      throw invalidInput([{ path: "password", code: "required", message: "Is required for a new account" }]);
    }
    const staff = known ?? (await createAccount(transaction, { email, passwordHash: passwordHash! }));
    await joinShop(transaction, shopId, staff, role);
    const target = { id: staff.id, name: staff.email };
    await recordAudit(transaction, shopId, author, { action: AuditAction.MEMBER_ADDED, target, details: { role } });
    return staff;
  });
}
