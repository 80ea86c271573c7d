import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { OperatorError } from "../../../platform/errors.ts";
import { emailAddress } from "../../../platform/mail/email-address.ts";
import { inTransaction, type Operation, type ShopKey } from "../../access/operation.ts";
import { recordAudit } from "../../audit/record-audit.ts";
import { invalidInput } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Role, type Staff } from "../../model/staff/staff.entity.ts";
import { requireNoSandbox } from "../../shops/sandbox-rules.ts";
import { lockShop, requireShop } from "../../shops/shops.ts";
import { parseInput } from "../../validation/input.ts";
import { createAccount, findAccount, joinShop } from "../accounts/account.ts";
import { hashNewPassword, newPassword } from "../accounts/password.ts";

const addMemberSchema = z.strictObject({
  email: emailAddress,
  role: z.enum(Role),
  /** The id of the address's existing account. */
  account: z.string().optional(),
  /** The password of a new account, if the address has none. */
  password: newPassword.optional(),
});

type MemberRequest = z.input<typeof addMemberSchema>;

/**
 * Checks a request before a password is typed. Returns the account that the operator named, if any.
 *
 * @throws AppError and OperatorError as `addMember` does
 */
export async function checkMember(em: EntityManager, shopId: string, request: MemberRequest): Promise<Staff | null> {
  const { email, account } = parseInput(addMemberSchema, request);
  await requireShop(em, shopId);
  return findNamedAccount(em, email, account);
}

/**
 * Adds a member to a shop, with a new account unless the operator names the existing one.
 *
 * @throws AppError VALIDATION_FAILED; SHOP_NOT_FOUND; INVALID_STATE when they are a member already; LIMIT_REACHED
 * @throws OperatorError when the account of the address is not the one that is named
 */
export async function addMember(operation: Operation<ShopKey>, request: MemberRequest): Promise<Staff> {
  const { email, role, account, password } = parseInput(addMemberSchema, request);
  const passwordHash = password === undefined ? undefined : await hashNewPassword(password, email);
  return inTransaction(operation, async (inside) => {
    const { em, shop } = inside;
    requireNoSandbox(await lockShop(em, shop.id), "staff");
    const known = await findNamedAccount(em, email, account);
    if (!known && passwordHash === undefined) {
      throw invalidInput([{ path: "password", code: "required", message: "Is required for a new account" }]);
    }
    const staff = known ?? (await createAccount(em, { email, passwordHash: passwordHash! }));
    await joinShop(em, shop.id, staff, role);
    const target = { id: staff.id, name: staff.email };
    await recordAudit(inside, { action: AuditAction.MEMBER_ADDED, target, details: { role } });
    return staff;
  });
}

/**
 * Returns the account of the address, or null when it has none and none was named. Knowing the address is not enough to
 * join an account, because anyone with an invitation to any shop can create one.
 *
 * @throws OperatorError when the account of the address is not the one that is named
 */
async function findNamedAccount(em: EntityManager, email: string, named: string | undefined): Promise<Staff | null> {
  const account = await findAccount(em, email);
  if (account?.id === named) return account;
  if (named !== undefined) throw new OperatorError(`${named} is not the account of ${email}`);
  throw new OperatorError(
    `The email address ${email} already has the account ${account!.id}, created at ${account!.createdAt.toISOString()}.\n` +
      "Anyone can create an account for an address, so check that it belongs to this person: ask them to log in and read\n" +
      `viewer { id }. If it returns this ID, add --account ${account!.id}. If they do not know the account, first set a\n` +
      "password for them with staff password, and turn off two-factor authentication with staff reset-second-factor.",
  );
}
