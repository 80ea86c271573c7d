import type { EntityManager } from "@mikro-orm/postgresql";
import type { Kysely } from "kysely";
import { z } from "zod";
import { AppError } from "../../platform/errors.ts";
import type { Caller } from "../caller.ts";
import { AuditAction } from "../credentials/audit-entry.entity.ts";
import { recordAudit } from "../credentials/record-audit.ts";
import { projections, runStatement, type Database } from "../database.ts";
import { parseInput, text } from "../input.ts";
import { lockShop } from "../shops/lock-shop.ts";
import { createAccount, findAccount } from "./account.ts";
import { checkPassword, type Browser } from "./check-password.ts";
import { joinShop } from "./join-shop.ts";
import { enter, type Login } from "./log-in.ts";
import { hashPassword, newPassword } from "./password.ts";
import type { Invitation, Role, Staff } from "./staff.entity.ts";
import { digestToken } from "./token.ts";

const acceptInvitationSchema = z.strictObject({ token: text({ max: 256 }), password: newPassword });

/**
 * Joins the shop of an invitation and logs in. An address without an account gets one with this password; for
 * one that has an account, the password must be its own, and a wrong one counts as at a login.
 *
 * @throws AppError VALIDATION_FAILED; NOT_FOUND, the same for every token that cannot be used; INVALID_CREDENTIALS;
 *   RATE_LIMITED; CONFLICT when an account with the address was made at the same moment
 */
export async function acceptInvitation(
  em: EntityManager,
  request: z.input<typeof acceptInvitationSchema>,
  browser: Browser,
): Promise<Login> {
  const { token, password } = parseInput(acceptInvitationSchema, request);
  const { shopId, email } = await findInvitation(projections(em), token);
  const known = await findOwnAccount(projections(em), email, password, browser);
  const passwordHash = known ? known.passwordHash : await hashPassword(password);
  return em.transactional(async (transaction) => {
    // As whoever invites does: the shop before its invitations, so that neither blocks the other.
    await lockShop(transaction, shopId);
    const role = await takeInvitation(projections(transaction), token);
    const account = known ?? (await createAccount(transaction, { email, passwordHash }));
    await joinShop(transaction, shopId, account, role);
    const caller: Caller = { kind: "STAFF", id: account.id, name: account.email, ...browser.origin };
    const target = { id: account.id, name: account.email };
    const details = { role };
    await recordAudit(transaction, shopId, caller, { action: AuditAction.INVITATION_ACCEPTED, target, details });
    return enter(transaction, account, browser);
  });
}

const IS_VALID = "token_digest = $1 and expires_at > now()";

async function findInvitation(database: Kysely<Database>, token: string) {
  const [invitation] = await runStatement<Pick<Invitation, "shopId" | "email">>(
    database,
    `select shop_id as "shopId", email from invitations where ${IS_VALID}`,
    [digestToken(token)],
  );
  if (!invitation) throw unknownInvitation();
  return invitation;
}

/** Uses the invitation up, and answers with the role in it. */
async function takeInvitation(database: Kysely<Database>, token: string): Promise<Role> {
  const [taken] = await runStatement<{ role: Role }>(
    database,
    `delete from invitations where ${IS_VALID} returning role`,
    [digestToken(token)],
  );
  if (!taken) throw unknownInvitation();
  return taken.role;
}

function unknownInvitation(): AppError {
  const hint = "It may have expired, been used, replaced or revoked. Ask for a new one.";
  return new AppError("NOT_FOUND", "Invitation not found", { hint });
}

async function findOwnAccount(
  database: Kysely<Database>,
  email: string,
  password: string,
  browser: Browser,
): Promise<Staff | undefined> {
  if (!(await findAccount(database, email))) return undefined;
  const account = await checkPassword(database, { email, password }, browser);
  if (account) return account;
  const hint = "There is an account with the invited address. Use its password.";
  throw new AppError("INVALID_CREDENTIALS", "Password is wrong", { hint });
}
