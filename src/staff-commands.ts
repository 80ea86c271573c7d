import { operator } from "./core/caller.ts";
import type { CoreServices } from "./core/context.ts";
import { findAccount } from "./core/staff/account.ts";
import { addMember } from "./core/staff/add-member.ts";
import { inviteMember } from "./core/staff/invite-member.ts";
import { setPassword } from "./core/staff/set-password.ts";
import type { Role } from "./core/staff/staff.entity.ts";
import { readNewPassword } from "./platform/read-password.ts";

export interface StaffOptions {
  shop: string;
  email: string;
  /** As typed: the operations check it. */
  role: string;
}

/**
 * Makes somebody a member. Asks for a password when the address has no account. Prints the person's id.
 * Whoever knows the password of an account that is there gets in: nobody checked that the address is theirs.
 */
export async function addStaff({ orm }: CoreServices, { shop, email, role }: StaffOptions): Promise<void> {
  const hasAccount = (await findAccount(orm.em, email)) !== null;
  const password = hasAccount ? undefined : await readNewPassword();
  const { id } = await addMember(orm.em, shop, operator, { email, role: role as Role, password });
  if (hasAccount) console.error(`› ${email} had an account, which keeps its password: make sure that it is theirs`);
  console.log(id);
}

/** Invites somebody. The token alone goes to standard output, so that a script can take it. */
export async function inviteStaff(
  { orm }: CoreServices,
  { shop, email, role }: StaffOptions,
  { baseUrl }: { baseUrl: string },
): Promise<void> {
  const { token } = await inviteMember(orm.em, shop, operator, { email, role: role as Role });
  console.log(token);
  console.error(`› Within 7 days, ${email} joins with this token at ${baseUrl}/graphql:`);
  console.error('›   mutation { acceptInvitation(token: "…", password: "…") { id } }');
}

/** For somebody who forgot theirs. */
export async function setStaffPassword({ orm }: CoreServices, email: string): Promise<void> {
  await setPassword(orm.em, { email, password: await readNewPassword() });
}
