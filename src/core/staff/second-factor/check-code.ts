import { AppError } from "../../model/errors.ts";
import { text } from "../../validation/input.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { acceptCode } from "./accept-code.ts";

/** A code as people type it: in groups, in whatever case. */
export const codeText = text({ max: 64 }).transform((code) => code.replace(/[\s-]/g, "").toLowerCase());

/** The refusal of whoever has shown the right password without the code that the account takes, where it takes one. */
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

/** The refusal of a code, of which the log is told. */
export function refuseCode(email: string, { report }: Pick<Browser, "report">): AppError {
  report("second_factor_refused", email);
  const hint = "Each code works once. After a hundred wrong codes in a row, only recovery codes work.";
  return new AppError("INVALID_SECOND_FACTOR", "The code is incorrect or was already used", { hint });
}
