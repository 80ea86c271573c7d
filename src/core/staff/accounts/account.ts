import { LockMode, sql, UniqueConstraintViolationException, type EntityManager } from "@mikro-orm/postgresql";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { staffActor, type Actor } from "../../access/actor.ts";
import { recordAudit, type AuditDetails } from "../../audit/record-audit.ts";
import type { Origin } from "../../context.ts";
import { AppError } from "../../model/errors.ts";
import { newId } from "../../model/ids.ts";
import type { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Invitation } from "../../model/staff/invitation.entity.ts";
import { Staff, Membership, Role } from "../../model/staff/staff.entity.ts";
import { notifyAccount, mailedActions } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";

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

/** The maximum number of members, because their list has no pages. */
const MAX_MEMBERS = 250;

/**
 * Adds a member to a locked shop, and deletes their open invitation.
 *
 * @throws AppError INVALID_STATE when they are a member already; LIMIT_REACHED when the shop has its 250
 */
export async function joinShop(em: EntityManager, shopId: string, staff: Staff, role: Role): Promise<void> {
  if ((await em.count(Membership, { shopId, staff: staff.id })) > 0) {
    throw new AppError("INVALID_STATE", `${staff.email} is already a member of this shop`);
  }
  if ((await em.count(Membership, { shopId })) >= MAX_MEMBERS) {
    throw new AppError("LIMIT_REACHED", `A shop can have at most ${MAX_MEMBERS} members`);
  }
  await em.insert(Membership, { shopId, staff: staff.id, role, createdAt: await databaseTime(em) });
  await em.nativeDelete(Invitation, { shopId, ...hasAddress(staff.email) });
}

/** Returns true when the shop has another owner who can log in. */
export async function hasAnotherOwner(em: EntityManager, shopId: string, staffId: string): Promise<boolean> {
  const others = { id: { $ne: staffId }, disabledAt: null };
  return (await em.count(Membership, { shopId, role: Role.OWNER, staff: others })) > 0;
}

/**
 * Adds an audit entry to each shop of an account, in the transaction of the change, and returns the memberships. The
 * entries are equal and name no other shop. Changes of a second factor are also mailed to the owner, because a thief's
 * browser may have made them.
 */
export async function auditInEachShop(
  em: EntityManager,
  actor: Actor,
  { id, email }: Pick<Staff, "id" | "email">,
  action: AuditAction,
  { details, at }: { details?: AuditDetails; at?: Date } = {},
): Promise<Membership[]> {
  const memberships = await em.find(Membership, { staff: id }, { disableIdentityMap: true });
  const entry = { action, target: { id, name: email }, details, at: at ?? (await databaseTime(em)) };
  for (const { shopId } of memberships) await recordAudit({ em, shop: { id: shopId }, actor }, entry);
  const change = mailedActions.find((mailed) => mailed === action);
  if (change) await notifyAccount(em, id, change);
  return memberships;
}

/** The same, for a change by the owner of the account. */
export function auditOwnChange(
  em: EntityManager,
  origin: Origin,
  account: Pick<Staff, "id" | "email">,
  action: AuditAction,
  details?: AuditDetails,
): Promise<Membership[]> {
  return auditInEachShop(em, staffActor(account, origin), account, action, { details });
}
