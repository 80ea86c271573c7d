import { LockMode, sql, UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/** The condition that a row has this address. */
export function hasAddress(email: string) {
  return { [sql.lower("email")]: addressKey(email) };
}

/** The account with this address, with its password hash. */
export async function findAccount(em: EntityManager, email: string): Promise<Staff | null> {
  return em.findOne(Staff, hasAddress(email), { populate: ["passwordHash"], disableIdentityMap: true });
}

/** The same. @throws AppError NOT_FOUND */
export async function requireAccount(em: EntityManager, email: string): Promise<Staff> {
  const account = await findAccount(em, email);
  if (!account) throw new AppError("NOT_FOUND", "No account has this email address");
  return account;
}

/**
 * The account with this address, locked until the transaction ends: nobody logs in to it meanwhile.
 *
 * @throws AppError NOT_FOUND
 */
export async function lockAccount(em: EntityManager, email: string): Promise<Staff> {
  const account = await em.findOne(Staff, hasAddress(email), { lockMode: LockMode.PESSIMISTIC_WRITE });
  if (!account) throw new AppError("NOT_FOUND", "No account has this email address");
  return account;
}

/** @throws AppError CONFLICT when somebody made an account with this address at the same moment */
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
