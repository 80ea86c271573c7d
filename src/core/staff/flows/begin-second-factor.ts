import { z } from "zod";
import type { Caller } from "../../model/permissions.ts";
import { databaseTime } from "../../queries/database-time.ts";
import { transactional } from "../../queries/transaction.ts";
import { text } from "../../model/text.ts";
import { parseInput } from "../../validation/input.ts";
import type { AccountServices, Browser } from "../accounts/browser.ts";
import { checkOwnPassword } from "./check-password.ts";
import { factorOwner } from "../second-factor/factor-owner.ts";
import { isOnAlready, lockFactor } from "../second-factor/lock-factor.ts";
import { SecondFactor } from "../../model/staff/second-factor.entity.ts";
import { generateTotpSecret, totpUri } from "../second-factor/totp.ts";

/** The time to confirm it: a quarter of an hour. Milliseconds. */
const PENDING_LIFETIME = 15 * 60_000;

const beginSecondFactorSchema = z.strictObject({ password: text({ max: 256 }) });

/** The secret of an app that is being set up, shown only once. */
export interface PendingFactor {
  secret: string;
  uri: string;
}

/**
 * Creates the secret of an authenticator app, which must be confirmed within a quarter of an hour. Replaces an
 * unconfirmed one.
 *
 * @throws AppError VALIDATION_FAILED; UNAUTHENTICATED; INVALID_CREDENTIALS; RATE_LIMITED; INVALID_STATE when a second
 *   factor is on
 */
export async function beginSecondFactor(
  services: AccountServices,
  { id, name: email, hasSecondFactor }: Caller,
  request: z.input<typeof beginSecondFactorSchema>,
  browser: Browser,
): Promise<PendingFactor> {
  const { password } = parseInput(beginSecondFactorSchema, request);
  if (hasSecondFactor) throw isOnAlready();
  await checkOwnPassword(services, { email, password }, browser);
  const secret = generateTotpSecret();
  const sealedSecret = services.encryption.seal(secret, factorOwner(id));
  await transactional(services.em, async (transaction) => {
    await lockFactor(transaction, id, { isOn: false });
    const expiresAt = new Date((await databaseTime(transaction)).getTime() + PENDING_LIFETIME);
    await transaction.upsert(SecondFactor, { staff: id, sealedSecret, lastStep: 0, wrongCodes: 0, expiresAt });
  });
  return { secret, uri: totpUri(secret, email) };
}
