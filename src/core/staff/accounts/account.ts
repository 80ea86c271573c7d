import { LockMode, sql, UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/** The condition for an account with this address. */
export function hasAddress(email: string) {
  return { [sql.lower("email")]: addressKey(email) };
}

/** Finds the account with this address, with its password hash. */
export async function findAccount(em: EntityManager, email: string): Promise<Staff | null> {
  return em.findOne(Staff, hasAddress(email), { populate: ["passwordHash"], disableIdentityMap: true });
}

/** Returns the account with this address. @throws AppError NOT_FOUND */
export async function requireAccount(em: EntityManager, email: string): Promise<Staff> {
  const account = await findAccount(em, email);
  if (!account) throw new AppError("NOT_FOUND", "No account has this email address");
  return account;
}

/**
 * Locks the account with this address until the transaction ends, so that no one can log in.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockAccount(em: EntityManager, email: string): Promise<Staff> {
  const account = await em.findOne(Staff, hasAddress(email), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!account) throw new AppError("NOT_FOUND", "No account has this email address");
  return account;
}

/** @throws AppError CONFLICT when an account with this address was created concurrently */
export async function createAccount(
  em: EntityManager,
  { email, passwordHash }: Pick<Staff, "email" | "passwordHash">,
): Promise<Staff> {
  const createdAt = await databaseTime(em);
  const nulls = { secondFactorAt: null, disabledAt: null };
  const account = em.create(Staff, { id: newId("stf"), email, passwordHash, createdAt, ...nulls });
  try {
    await em.persist(account).flush();
    return account;
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error;
    throw new AppError("CONFLICT", "An account with this email address was created in the meantime", {
      hint: "Try again.",
    });
  }
}
