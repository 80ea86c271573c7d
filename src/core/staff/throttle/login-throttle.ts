import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { networkOf } from "../../../platform/http/client.ts";
import { addressKey } from "../../../platform/mail/email-address.ts";
import type { Origin } from "../../context.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import { LoginAttempts } from "../../model/staff/login-attempts.entity.ts";
import { queueLoginFailure } from "./login-failures.sql.ts";
import { digestKey, refuse, tryCount, type Counter } from "./throttle-counter.sql.ts";

/** Attempts per window: from an address; at an account from one place; at an account from all unknown places. */
const PER_ADDRESS = 100;
const PER_PLACE = 10;
const PER_ACCOUNT = 100;

/** A password attempt for an account that may not exist. */
export interface Attempt {
  email: string;
  origin: Origin;
  /** The digest of a token that proves an earlier login: of a known device for this account, or of an open session. */
  known?: Buffer;
}

interface AttemptCounter extends Counter {
  /** False for the counter of an address at any account. */
  isOfAccount: boolean;
}

type Counted = Pick<LoginAttempts, "key" | "windowEndsAt">;

/**
 * Counts an attempt before the password is verified, so that concurrent guesses count too. Each counter is only used
 * when the one before has room, so a single address cannot use up an account's.
 *
 * @returns a function that takes the attempt back, when it was not a guess
 * @throws AppError RATE_LIMITED, the same for each limit and for unknown accounts
 */
export async function countAttempt(em: EntityManager, attempt: Attempt): Promise<() => Promise<void>> {
  const counted: Counted[] = [];
  for (const counter of countersFor(attempt)) {
    const windowEndsAt = await tryCount(em, counter);
    if (!windowEndsAt) {
      if (counter.isOfAccount) await queueLoginFailure(em, AuditAction.MEMBER_LOCKED_OUT, attempt);
      throw await refuse(em, counter, "Too many login attempts");
    }
    counted.push({ key: counter.key, windowEndsAt });
  }
  return async () => {
    const takeBack = (which: Counted) => em.nativeUpdate(LoginAttempts, which, { attempts: raw("attempts - 1") });
    await Promise.all(counted.map(takeBack));
  };
}

function countersFor({ email, origin, known }: Attempt): AttemptCounter[] {
  const account = addressKey(email);
  // A separate count that no one else can use up: guests of a shop share their address with its tills.
  if (known) {
    return [{ key: digestKey("known", account, known.toString("base64")), limit: PER_PLACE, isOfAccount: true }];
  }
  const network = origin.address === null ? "" : networkOf(origin.address);
  return [
    { key: digestKey("address", network), limit: PER_ADDRESS, isOfAccount: false },
    { key: digestKey("account and address", account, network), limit: PER_PLACE, isOfAccount: true },
    { key: digestKey("account", account), limit: PER_ACCOUNT, isOfAccount: true },
  ];
}
