import { sql, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { staffActor } from "../../access/actor.ts";
import type { Caller } from "../../model/permissions.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { AppError } from "../../model/errors.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { parseInput } from "../../validation/input.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { endSessions } from "../sessions/end-sessions.ts";
import { acceptAppCode } from "../second-factor/accept-code.ts";
import { codeText, refuseCode } from "../second-factor/check-code.ts";
import { lockFactor } from "../second-factor/lock-factor.ts";
import { replaceRecoveryCodes } from "../second-factor/recovery-codes.ts";
import { SecondFactor } from "../../model/staff/second-factor.entity.ts";

const confirmSecondFactorSchema = z.strictObject({ code: codeText });

/**
 * Turns on the second factor with a code of the prepared app. Other sessions end, because they were opened with the
 * password alone. Returns the recovery codes, which are not stored.
 *
 * @throws AppError VALIDATION_FAILED; INVALID_STATE when one is already on, or none was begun in the last quarter of an
 *   hour; INVALID_SECOND_FACTOR
 */
export async function confirmSecondFactor(
  { em, encryption }: AccountServices,
  { id, name: email }: Caller,
  request: z.input<typeof confirmSecondFactorSchema>,
  browser: Browser,
): Promise<string[]> {
  const { code } = parseInput(confirmSecondFactorSchema, request);
  const recoveryCodes = await transactional(em, async (transaction) => {
    await lockFactor(transaction, id, { isOn: false });
    await requirePending(transaction, id);
    // The commit counts a wrong code, so this must not throw.
    if (!(await acceptAppCode({ em: transaction, encryption }, id, code))) return undefined;
    await transaction.nativeUpdate(SecondFactor, { staff: id }, { expiresAt: null });
    await transaction.nativeUpdate(Staff, { id }, { secondFactorAt: await databaseTime(transaction) });
    await endSessions(transaction, id, browser.sessionToken);
    const account = { id, email };
    const actor = staffActor(account, browser.origin);
    await auditInEachShop(transaction, actor, account, AuditAction.MEMBER_SECOND_FACTOR_ENABLED);
    return replaceRecoveryCodes(transaction, id);
  });
  if (recoveryCodes) return recoveryCodes;
  throw refuseCode(email, browser);
}

async function requirePending(em: EntityManager, staff: string): Promise<void> {
  if ((await em.count(SecondFactor, { staff, expiresAt: { $gt: sql.now() } })) > 0) return;
  const hint = "Call beginSecondFactor, and set up the app with the new secret.";
  throw new AppError("INVALID_STATE", "No two-factor setup was started in the last 15 minutes", { hint });
}
