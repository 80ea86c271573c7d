import { LockMode, type EntityManager } from "@mikro-orm/postgresql";
import { z } from "zod";
import type { CoreServices } from "../../context.ts";
import { AppError } from "../../model/errors.ts";
import { sendReset } from "../../notifications/mail-jobs.sql.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import { countReset } from "../throttle/mail-throttle.ts";
import { digestToken, generateToken } from "../accounts/token.ts";
import { hasAddress } from "../accounts/account.ts";
import { PasswordReset } from "../../model/staff/password-reset.entity.ts";
import { Staff } from "../../model/staff/staff.entity.ts";

/** The lifetime of a reset token: half an hour. Milliseconds. */
export const RESET_LIFETIME = 30 * 60_000;

const requestSchema = z.strictObject({ email: text({ max: 254 }) });

/**
 * Requests a mail to reset a password. It does the same work and takes as long for an unknown address: a job is added
 * in any case, only in another queue.
 *
 * @throws AppError VALIDATION_FAILED; FORBIDDEN when no mail is configured; RATE_LIMITED
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
  const isKnown = (await em.fork().count(Staff, enabledAccount(email))) > 0;
  if (await countReset(em, { email, address, isKnown })) await sendReset(em, email, isKnown);
}

/**
 * Creates a token to reset the password of the account with this address. Undefined when there is none, or it is
 * disabled. Earlier tokens stay valid, so that a repeated mail does not invalidate the first.
 */
export async function issueResetToken(em: EntityManager, email: string): Promise<string | undefined> {
  return transactional(em, async (transaction) => {
    // Changes of the password, which end all tokens, run entirely before or after this.
    const staff = await transaction.findOne(Staff, enabledAccount(email), { lockMode: LockMode.PESSIMISTIC_READ });
    if (!staff) return undefined;
    const token = generateToken();
    const expiresAt = new Date((await databaseTime(transaction)).getTime() + RESET_LIFETIME);
    await transaction.insert(PasswordReset, { tokenDigest: digestToken(token), staff: staff.id, expiresAt });
    return token;
  });
}

const enabledAccount = (email: string) => ({ ...hasAddress(email), disabledAt: null });
