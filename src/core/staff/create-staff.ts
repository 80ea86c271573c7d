import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { newId } from "../../platform/ids.ts";
import { parseInput, text } from "../input.ts";
import { hashPassword } from "./password.ts";
import { Membership, Role, Staff } from "./staff.entity.ts";

const createStaffSchema = z.strictObject({
  shopId: z.string(),
  email: z.email().max(254),
  password: text({ min: 12, max: 256 }),
  role: z.enum(Role),
});

/** Creates a person with a role in one shop. @throws AppError VALIDATION_FAILED */
export async function createStaff(em: EntityManager, request: z.input<typeof createStaffSchema>): Promise<Staff> {
  const { shopId, email, password, role } = parseInput(createStaffSchema, request);
  const createdAt = new Date();
  const passwordHash = await hashPassword(password);
  return em.transactional(async (transaction) => {
    const staff = transaction.create(Staff, { id: newId("stf"), email, passwordHash, createdAt });
    await transaction.persist(staff).flush();
    transaction.persist(transaction.create(Membership, { shopId, staffId: staff.id, role, createdAt }));
    return staff;
  });
}
