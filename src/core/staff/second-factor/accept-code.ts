import { raw } from "@mikro-orm/postgresql";
import { staffActor } from "../../access/actor.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { auditInEachShop } from "../accounts/audit-in-each-shop.ts";
import { factorOwner } from "./factor-owner.ts";
import { spendRecoveryCode } from "./recovery-codes.ts";
import { SecondFactor } from "../../model/staff/second-factor.entity.ts";
import { findStep } from "./totp.ts";

/**
 * Consecutive wrong codes after which the app's codes are no longer accepted, so that someone with the password cannot
 * find one in a million by patience. Recovery codes are still accepted, and reset the count.
 */
const MAX_WRONG_CODES = 100;

/** Consumes a code of the account's app, or a recovery code. Returns false when it is wrong or was used before. */
export function acceptCode(
  services: AccountServices,
  account: Staff,
  code: string,
  browser: Browser,
): Promise<boolean> {
  const isOfApp = /^\d{6}$/.test(code);
  return isOfApp ? acceptAppCode(services, account.id, code) : acceptRecoveryCode(services, account, code, browser);
}

/** Consumes a code of the app, which may be unconfirmed. Returns false when it is wrong or was used before. */
export async function acceptAppCode(
  { em, encryption }: AccountServices,
  staffId: string,
  code: string,
): Promise<boolean> {
  // Counted before the check, so that concurrent guesses count too.
  const countable = { staff: staffId, wrongCodes: { $lt: MAX_WRONG_CODES } };
  if ((await em.nativeUpdate(SecondFactor, countable, { wrongCodes: raw("wrong_codes + 1") })) === 0) return false;
  const factor = await em.findOneOrFail(SecondFactor, { staff: staffId }, { disableIdentityMap: true });
  const secret = encryption.open(factor.sealedSecret, factorOwner(staffId));
  const step = findStep(secret, code, await databaseTime(em));
  if (step === undefined) return false;
  // A single conditional statement: of concurrent uses of one code, only one succeeds.
  const unused = { staff: staffId, lastStep: { $lt: step } };
  return (await em.nativeUpdate(SecondFactor, unused, { lastStep: step, wrongCodes: 0 })) > 0;
}

async function acceptRecoveryCode(
  { em }: AccountServices,
  account: Staff,
  code: string,
  { origin, report }: Browser,
): Promise<boolean> {
  const isSpent = await transactional(em, async (transaction) => {
    if (!(await spendRecoveryCode(transaction, account.id, code))) return false;
    await transaction.nativeUpdate(SecondFactor, { staff: account.id }, { wrongCodes: 0 });
    await auditInEachShop(transaction, staffActor(account, origin), account, AuditAction.MEMBER_RECOVERY_CODE_USED);
    return true;
  });
  if (isSpent) report("recovery_code_used", account.email);
  return isSpent;
}
