import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { networkOf } from "../../../platform/http/address.ts";
import { addressKey } from "../../../platform/mail/email-address.ts";
import { AuditAction } from "../../model/shops/audit-entry.entity.ts";
import type { Origin } from "../../context.ts";
import { LoginAttempts } from "../../model/staff/login-attempts.entity.ts";
import { tellRefusal } from "./tell-refusal.sql.ts";
import { digestKey, refuse, tryCount, type Counter } from "./throttle-counter.sql.ts";

/** Attempts in one window: from an address; at an account from one place; at an account from all unknown places. */
const PER_ADDRESS = 100;
const PER_PLACE = 10;
const PER_ACCOUNT = 100;

/** Somebody shows a password for an account, whether or not there is one. */
export interface Attempt {
  email: string;
  origin: Origin;
  /** The digest of a token that no stranger has: of a device that is known for this account, or of an open session. */
  known?: Buffer;
}

interface AttemptCounter extends Counter {
  /** False of the counter of whoever guesses, at whatever account. */
  isOfAccount: boolean;
}

type Counted = Pick<LoginAttempts, "key" | "windowEndsAt">;

/**
 * Counts an attempt before the password is verified, so that guesses at the same moment count too. The next
 * counter is only touched when there is room in the one before: one address alone cannot use up an account's.
 *
 * @returns how to take the attempt back, when it was no guess
 * @throws AppError RATE_LIMITED, the same for whichever limit and whether or not there is such an account
 */
export async function countAttempt(em: EntityManager, attempt: Attempt): Promise<() => Promise<void>> {
  const counted: Counted[] = [];
  for (const counter of countersFor(attempt)) {
    const windowEndsAt = await tryCount(em, counter);
    if (!windowEndsAt) {
      if (counter.isOfAccount) await tellRefusal(em, AuditAction.MEMBER_LOCKED_OUT, attempt);
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
  // A count of its own, which nobody else can use up: guests of a shop come from the same address as its tills.
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
