import { AppError } from "../../model/errors.ts";
import { text } from "../../model/text.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { acceptCode } from "./accept-code.ts";

/** A code as people type it: in groups, in upper or lower case. */
export const codeText = text({ max: 64 }).transform((code) => code.replace(/[\s-]/g, "").toLowerCase());

/**
 * Checks the code after a correct password, and returns the error if the account requires one and it is missing or
 * wrong.
 */
export async function checkCode(
  services: AccountServices,
  account: Staff,
  code: string | null | undefined,
  browser: Browser,
): Promise<AppError | undefined> {
  if (account.secondFactorAt === null) return undefined;
  if (code == null) {
    browser.report("second_factor_asked", account.email);
    const hint = "Also send a code from your authenticator app, or a recovery code.";
    return new AppError("SECOND_FACTOR_REQUIRED", "This account uses two-factor authentication", { hint });
  }
  return (await acceptCode(services, account, code, browser)) ? undefined : refuseCode(account.email, browser);
}

/** The error for a refused code, which is logged. */
export function refuseCode(email: string, { report }: Pick<Browser, "report">): AppError {
  report("second_factor_refused", email);
  const hint = "Each code works once. After a hundred wrong codes in a row, only recovery codes work.";
  return new AppError("INVALID_SECOND_FACTOR", "The code is incorrect or was already used", { hint });
}
