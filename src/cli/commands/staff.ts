import { operator } from "../../core/access/actor.ts";
import { asOperator } from "../../core/access/operation.ts";
import type { CoreServices } from "../../core/context.ts";
import { requireShop } from "../../core/shops/shops.ts";
import { findAccount, requireAccount } from "../../core/staff/accounts/account.ts";
import { disableAccount, enableAccount } from "../../core/staff/flows/disable-account.ts";
import { addMember, checkMember } from "../../core/staff/members/add-member.ts";
import { inviteMember } from "../../core/staff/invitations/invitations.ts";
import { listMembers, removeMember } from "../../core/staff/members/members.ts";
import { setPassword } from "../../core/staff/flows/passwords.ts";
import { resetSecondFactor } from "../../core/staff/flows/second-factor.ts";
import { logSecurityEvent } from "../../core/staff/accounts/security-log.ts";
import type { Role } from "../../core/model/staff/staff.entity.ts";
import { OperatorError } from "../../platform/errors.ts";
import { progress, readNewPassword } from "../../platform/terminal.ts";
import { printRow, printRows, type OutputOptions } from "../output.ts";
import { runOnce } from "../open-app.ts";

export interface StaffOptions {
  shop: string;
  email: string;
  /** Not checked here: the operations do. */
  role: string;
  /** The id of the address's existing account. */
  account?: string;
  invite?: true;
}

/** Adds a member to a shop, or invites one. */
export function addStaff(options: StaffOptions): Promise<void> {
  if (options.invite) return runOnce(({ core }, { baseUrl }) => invite(core, options, baseUrl), "mail");
  return runOnce(({ core }) => add(core, options));
}

/** Adds a member and prints the account's id. Asks for a password only for a new account. */
async function add({ orm }: CoreServices, { shop, email, role, account }: StaffOptions): Promise<void> {
  const request = { email, role: role as Role, account };
  const known = await checkMember(orm.em, shop, request);
  const password = known ? undefined : await readNewPassword();
  const { id } = await addMember(asOperator(orm.em, shop), { ...request, password });
  console.log(id);
}

/** Prints the invitation link to standard output, for scripts, unless it is mailed. */
async function invite(core: CoreServices, { shop, email, role }: StaffOptions, baseUrl: string): Promise<void> {
  const { invitation, token } = await inviteMember(asOperator(core.orm.em, shop), core, { email, role: role as Role });
  if (token === null) return progress(`The worker emails an invitation to ${invitation.email}. It is valid for 7 days`);
  console.log(`${baseUrl}/admin/join#${token}`);
  progress(`Send this link to ${invitation.email} only. Anyone with the link can join within 7 days`);
}

/** Sets a new password for an account and ends all of its sessions. */
export function setStaffPassword(email: string): Promise<void> {
  return runOnce(async ({ core: { orm, logger } }) => {
    await requireAccount(orm.em, email);
    await setPassword(orm.em, operator, { email, password: await readNewPassword() });
    logSecurityEvent({ logger, origin: operator }, "password_changed", email);
  });
}

/** Prints a shop's members. */
export function listStaff({ shop, ...output }: OutputOptions & { shop: string }): Promise<void> {
  return runOnce(async ({ core: { orm } }) => {
    await requireShop(orm.em, shop);
    const members = await listMembers(orm.em, shop);
    const rows = members.map(({ staff: { id, email, secondFactorAt, disabledAt }, role, createdAt }) => {
      return { id, email, role, joinedAt: createdAt, secondFactorAt, disabledAt };
    });
    printRows(rows, output);
  });
}

/** Removes a member from a shop. The account stays. */
export function removeStaff({
  shop,
  email,
  ...output
}: OutputOptions & { shop: string; email: string }): Promise<void> {
  return runOnce(async ({ core: { orm } }) => {
    const account = await findAccount(orm.em, email);
    if (!account || !(await removeMember(asOperator(orm.em, shop), account.id))) {
      throw new OperatorError(`The shop has no member with the email address ${email}`);
    }
    printRow({ id: account.id, email: account.email, removedFrom: shop }, output);
  });
}

/** Disables an account, in every shop and immediately. */
export function disableStaff({ email, ...output }: OutputOptions & { email: string }): Promise<void> {
  return runOnce(async ({ core: { orm, logger } }) => {
    const { account, isChanged, sessions, shopsWithoutOwner } = await disableAccount(orm.em, operator, email);
    if (isChanged) logSecurityEvent({ logger, origin: operator }, "account_disabled", account.email, { sessions });
    printRow({ id: account.id, email: account.email, disabledAt: account.disabledAt, sessionsEnded: sessions }, output);
    for (const id of shopsWithoutOwner) progress(`No owner of ${id} can log in any more. Add one with staff add`);
  });
}

/** Enables a disabled account. */
export function enableStaff({ email, ...output }: OutputOptions & { email: string }): Promise<void> {
  return runOnce(async ({ core: { orm, logger } }) => {
    const { account, isChanged } = await enableAccount(orm.em, operator, email);
    if (isChanged) logSecurityEvent({ logger, origin: operator }, "account_enabled", account.email);
    printRow({ id: account.id, email: account.email, disabledAt: account.disabledAt }, output);
  });
}

/** Turns off a lost second factor of an account. */
export function resetStaffSecondFactor({ email, ...output }: OutputOptions & { email: string }): Promise<void> {
  return runOnce(async ({ core: { orm, logger } }) => {
    const { account, sessions } = await resetSecondFactor(orm.em, operator, email);
    logSecurityEvent({ logger, origin: operator }, "second_factor_disabled", account.email, { sessions });
    printRow({ id: account.id, email: account.email, sessionsEnded: sessions }, output);
  });
}
