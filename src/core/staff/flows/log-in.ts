import type { EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import { AppError } from "../../model/errors.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { Session } from "../../model/staff/session.entity.ts";
import type { Staff } from "../../model/staff/staff.entity.ts";
import { text } from "../../model/text.ts";
import { transactional } from "../../queries/transaction.ts";
import { parseInput } from "../../validation/input.ts";
import { auditOwnChange } from "../accounts/account.ts";
import type { Browser } from "../accounts/caller.ts";
import { digestToken, type Token } from "../accounts/token.ts";
import { codeText } from "../second-factor/codes.ts";
import { renewDevice } from "../sessions/known-device.ts";
import { openSession } from "../sessions/sessions.ts";
import { checkPassword } from "./check-password.ts";

const logInSchema = z.strictObject({
  email: text({ max: 254 }),
  password: text({ max: 256 }),
  code: codeText.nullish(),
});

/** The logged-in account, and the tokens for its browser. */
export interface Login {
  staff: Staff;
  session: Token;
  device: Token;
}

/**
 * Logs in and opens a session. The browser's earlier session ends.
 *
 * @throws AppError VALIDATION_FAILED; RATE_LIMITED; INVALID_CREDENTIALS, the same whether the address or the password
 *   is wrong; SECOND_FACTOR_REQUIRED or INVALID_SECOND_FACTOR when both are right
 */
export async function logIn(browser: Browser, request: z.input<typeof logInSchema>): Promise<Login> {
  const account = await checkPassword(browser, parseInput(logInSchema, request));
  if (!account) throw wrongPassword();
  return transactional(browser.em, (transaction) => startSession(transaction, account, browser));
}

/**
 * Opens a session, makes the device known and audits the login in each shop, in the given transaction. Every kind of
 * login ends here. The entry does not name the kind, which may be an invitation to another shop.
 *
 * @throws AppError INVALID_CREDENTIALS when the password or the second factor was changed since it was checked
 */
export async function startSession(em: EntityManager, account: Staff, browser: Browser): Promise<Login> {
  const { origin, sessionToken, deviceToken } = browser;
  const session = await openSession(em, account, origin);
  if (!session) throw wrongPassword();
  if (sessionToken !== undefined) await em.nativeDelete(Session, { tokenDigest: digestToken(sessionToken) });
  const device = await renewDevice(em, account.id, deviceToken);
  await auditOwnChange(em, origin, account, AuditAction.MEMBER_LOGGED_IN);
  return { staff: account, session, device };
}

function wrongPassword(): AppError {
  return new AppError("INVALID_CREDENTIALS", "Incorrect email or password");
}
