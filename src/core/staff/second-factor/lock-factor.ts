import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/**
 * Locks an account whose second factor is to change until the transaction ends: no login and no other change of it comes
 * between.
 *
 * @throws AppError INVALID_STATE when the factor is not on, or off, as it has to be
 */
export async function lockFactor(em: EntityManager, id: string, { isOn }: { isOn: boolean }): Promise<void> {
  const { secondFactorAt } = await em.findOneOrFail(Staff, { id }, { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (isOn && secondFactorAt === null) throw new AppError("INVALID_STATE", "Two-factor authentication is not on");
  if (!isOn && secondFactorAt !== null) throw isOnAlready();
}

/** The error for whoever begins anew. */
export function isOnAlready(): AppError {
  return new AppError("INVALID_STATE", "Two-factor authentication is already on", { hint: "Turn it off first." });
}
