import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/**
 * Locks an account until the transaction ends, so that its second factor can change without concurrent logins or
 * changes.
 *
 * @throws AppError INVALID_STATE when the factor is not on, or off, as required
 */
export async function lockFactor(em: EntityManager, id: string, { isOn }: { isOn: boolean }): Promise<void> {
  const { secondFactorAt } = await em.findOneOrFail(Staff, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (isOn && secondFactorAt === null) throw new AppError("INVALID_STATE", "Two-factor authentication is not on");
  if (!isOn && secondFactorAt !== null) throw isOnAlready();
}

/** The error for callers who must begin again. */
export function isOnAlready(): AppError {
  return new AppError("INVALID_STATE", "Two-factor authentication is already on", { hint: "Turn it off first." });
}
