import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { staffActor, type Actor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { lockAccount } from "../accounts/account.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import { checkOwnPassword } from "./check-password.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { codeText } from "../second-factor/check-code.ts";
import { lockFactor } from "../second-factor/lock-factor.ts";
import { RecoveryCode, SecondFactor } from "../../model/staff/second-factor.entity.ts";
import { transactional } from "../../queries/transaction.ts";

/** The proofs required to change a second factor that is on. */
export const proofSchema = z.strictObject({ password: text({ max: 256 }), code: codeText });

/**
 * Turns off the caller's own second factor.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; INVALID_SECOND_FACTOR; RATE_LIMITED;
 *   INVALID_STATE when there is none
 */
export async function disableSecondFactor(
  services: AccountServices,
  email: string,
  request: z.input<typeof proofSchema>,
  browser: Browser,
): Promise<void> {
  const account = await checkOwnPassword(services, { email, ...parseInput(proofSchema, request) }, browser);
  await transactional(services.em, (transaction) => remove(transaction, staffActor(account, browser.origin), account));
}

/**
 * Turns off a lost second factor of an account. All of its sessions end. Returns their number.
 *
 * @throws AppError NOT_FOUND; INVALID_STATE when there is none
 */
export async function resetSecondFactor(
  em: EntityManager,
  actor: Actor,
  email: string,
): Promise<{ account: Staff; sessions: number }> {
  return transactional(em, async (transaction) => {
    const account = await lockAccount(transaction, email);
    await remove(transaction, actor, account);
    return { account, sessions: await endSessions(transaction, account.id) };
  });
}

async function remove(em: EntityManager, actor: Actor, account: Staff): Promise<void> {
  const { id } = account;
  await lockFactor(em, id, { isOn: true });
  await em.nativeUpdate(Staff, { id }, { secondFactorAt: null });
  // In the order of using a recovery code, to prevent deadlocks.
  await em.nativeDelete(RecoveryCode, { staff: id });
  await em.nativeDelete(SecondFactor, { staff: id });
  await auditInEachShop(em, actor, account, AuditAction.MEMBER_SECOND_FACTOR_DISABLED);
}
