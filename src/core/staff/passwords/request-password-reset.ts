import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { CoreServices } from "../../context.ts";
import { AppError } from "../../model/errors.ts";
import { sendReset } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { parseInput, text } from "../../validation/input.ts";
import { countReset } from "../throttle/mail-throttle.ts";
import { digestToken, generateToken } from "../sessions/token.ts";
import { hasAddress } from "../accounts/account.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/** The time for which a token resets a password: half an hour. Milliseconds. */
export const RESET_LIFETIME = 30 * 60_000;

const requestSchema = z.strictObject({ email: text({ max: 254 }) });

/**
 * Asks for a mail with which to set another password. It does the same, and takes as long, whether or not there is such
 * an account: a job is added in any case, and only decides in another queue.
 *
 * @throws AppError VALIDATION_FAILED; FORBIDDEN where no mail is sent; RATE_LIMITED
 */
export async function requestPasswordReset(
  { em, sendsMail }: Pick<CoreServices, "sendsMail"> & { em: EntityManager },
  request: z.input<typeof requestSchema>,
  address: string | null,
): Promise<void> {
  const { email } = parseInput(requestSchema, request);
  if (!sendsMail) {
    const hint = "Ask your administrator to set a new password.";
    throw new AppError("FORBIDDEN", "This service does not send email", { hint });
  }
  await countReset(em, email, address);
  const isKnown = (await em.fork().count(Staff, enabledAccount(email))) > 0;
  await sendReset(em, email, isKnown);
}

/**
 * Makes a token that resets the password of the account with this address; undefined when there is none, or it is
 * disabled. Tokens that were made before stay valid: a mail that is sent again takes nothing from the first.
 */
export async function issueResetToken(em: EntityManager, email: string): Promise<string | undefined> {
  return em.transactional(async (transaction) => {
    // A change of the password, which ends all tokens, comes wholly before or wholly after this.
    const staff = await transaction.findOne(Staff, enabledAccount(email), { lockMode: LockMode.PESSIMISTIC_READ });
    if (!staff) return undefined;
    const token = generateToken();
    const expiresAt = new Date((await databaseTime(transaction)).getTime() + RESET_LIFETIME);
    await transaction.insert(PasswordReset, { tokenDigest: digestToken(token), staff: staff.id, expiresAt });
    return token;
  });
}

const enabledAccount = (email: string) => ({ ...hasAddress(email), disabledAt: null });
