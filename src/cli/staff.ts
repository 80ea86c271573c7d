import { operator } from "../core/access/author.ts";
import type { CoreServices } from "../core/context.ts";
import { addMember, findNamedAccount } from "../core/staff/members/add-member.ts";
import { inviteMember } from "../core/staff/members/invite-member.ts";
import { setPassword } from "../core/staff/accounts/set-password.ts";
import { logSecurityEvent } from "../core/staff/security-log.ts";
import type { Role } from "../core/staff/accounts/staff.entity.ts";
import { readNewPassword } from "../platform/prompt-password.ts";
import { runOnce } from "./run-once.ts";

export interface StaffOptions {
  shop: string;
  email: string;
  /** As typed: the operations check it. */
  role: string;
  /** The id of the account that the address has. */
  account?: string;
  invite?: true;
}

/** Makes somebody a member of a shop, or invites them to become one. */
export function addStaff(options: StaffOptions): Promise<void> {
  return runOnce(({ core }, { baseUrl }) => (options.invite ? invite(core, options, baseUrl) : add(core, options)));
}

/** Asks for the password of a new account; one that the operator names keeps its own. Prints the person's id. */
async function add({ orm }: CoreServices, { shop, email, role, account }: StaffOptions): Promise<void> {
  const known = await findNamedAccount(orm.em, email, account);
  const password = known ? undefined : await readNewPassword();
  const { id } = await addMember(orm.em, shop, operator, { email, role: role as Role, account, password });
  console.log(id);
}

/** Prints the token alone to standard output, so that a script can take it. */
async function invite({ orm }: CoreServices, { shop, email, role }: StaffOptions, baseUrl: string): Promise<void> {
  const { token } = await inviteMember(orm.em, shop, operator, { email, role: role as Role });
  console.log(token);
  console.error(`› Within 7 days, ${email} joins with this token at ${baseUrl}/graphql:`);
  console.error('›   mutation { acceptInvitation(token: "…", password: "…") { id } }');
}

/** Sets a new password for somebody who forgot theirs, and ends all their sessions. */
export function setStaffPassword(email: string): Promise<void> {
  return runOnce(async ({ core: { orm, logger } }) => {
    await setPassword(orm.em, operator, { email, password: await readNewPassword() });
    logSecurityEvent({ logger, origin: operator }, "password_changed", email);
  });
}
