import type { z } from "zod";
import { staffActor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { parseInput } from "../../validation/input.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import { checkOwnPassword } from "./check-password.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { lockFactor } from "../second-factor/lock-factor.ts";
import { replaceRecoveryCodes } from "../second-factor/recovery-codes.ts";
import { proofSchema } from "./remove-second-factor.ts";
import { transactional } from "../../queries/transaction.ts";

/**
 * Replaces the caller's recovery codes. Earlier ones stop working.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; INVALID_SECOND_FACTOR; RATE_LIMITED;
 *   INVALID_STATE when there is no second factor
 */
export async function regenerateRecoveryCodes(
  services: AccountServices,
  email: string,
  request: z.input<typeof proofSchema>,
  browser: Browser,
): Promise<string[]> {
  const account = await checkOwnPassword(services, { email, ...parseInput(proofSchema, request) }, browser);
  return transactional(services.em, async (transaction) => {
    await lockFactor(transaction, account.id, { isOn: true });
    const actor = staffActor(account, browser.origin);
    await auditInEachShop(transaction, actor, account, AuditAction.MEMBER_RECOVERY_CODES_REPLACED);
    return replaceRecoveryCodes(transaction, account.id);
  });
}
