import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { parseInput } from "../../validation/input.ts";
import { lockShop } from "../../shops/lock-shop.ts";
import { createAccount } from "./account.ts";
import { joinShop } from "../members/join-shop.ts";
import { hashNewPassword, newPassword } from "../passwords/password.ts";
import { Role, type Staff } from "./staff.entity.ts";

const createStaffSchema = z.strictObject({
  shopId: z.string(),
  email: z.email().max(254),
  password: newPassword,
  role: z.enum(Role),
});

/**
 * Creates a person with a role in one shop.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; CONFLICT; LIMIT_REACHED
 */
export async function createStaff(em: EntityManager, request: z.input<typeof createStaffSchema>): Promise<Staff> {
  const { shopId, email, password, role } = parseInput(createStaffSchema, request);
  const passwordHash = await hashNewPassword(password, email);
  return em.transactional(async (transaction) => {
    await lockShop(transaction, shopId);
    const staff = await createAccount(transaction, { email, passwordHash });
    await joinShop(transaction, shopId, staff, role);
    return staff;
  });
}
