import { createHash } from "node:crypto";
import { raw, type EntityManager } from "@mikro-orm/postgresql";
import { networkOf } from "../../../platform/http/address.ts";
import { AppError } from "../../errors.ts";
import { kysely, runStatement } from "../../queries/database.ts";
import { LoginAttempts } from "./login-attempts.entity.ts";

/** Attempts are counted in windows of this length. */
const WINDOW = "interval '15 minutes'";

/** Attempts in one window: from an address; at an account from one place; at an account from all unknown places. */
const PER_ADDRESS = 100;
const PER_PLACE = 10;
const PER_ACCOUNT = 100;

/** Somebody shows a password for an account, whether or not there is one. */
export type Attempt = { email: string } & (
  | { address: string | null }
  // The digest of a token that no stranger has: of a device that is known for this account, or of an open session.
  | { known: Buffer }
);

export interface Counter {
  key: Buffer;
  limit: number;
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
    counted.push({ key: counter.key, windowEndsAt: await count(em, counter) });
  }
  return async () => {
    const takeBack = (which: Counted) => em.nativeUpdate(LoginAttempts, which, { attempts: raw("attempts - 1") });
    await Promise.all(counted.map(takeBack));
  };
}

function countersFor(attempt: Attempt): Counter[] {
  const account = attempt.email.toLowerCase();
  // A count of its own, which nobody else can use up: guests of a shop come from the same address as its tills.
  if ("known" in attempt) {
    return [{ key: digestKey("known", account, attempt.known.toString("base64")), limit: PER_PLACE }];
  }
  const network = attempt.address === null ? "" : networkOf(attempt.address);
  return [
    { key: digestKey("address", network), limit: PER_ADDRESS },
    { key: digestKey("account and address", account, network), limit: PER_PLACE },
    { key: digestKey("account", account), limit: PER_ACCOUNT },
  ];
}

/**
 * Counts one more and answers when the window ends. One statement of SQL: attempts at the same moment take turns.
 *
 * @throws AppError RATE_LIMITED when there is no room, with `refusal`
 */
export async function count(
  em: EntityManager,
  { key, limit }: Counter,
  refusal = "Too many attempts to log in",
): Promise<Date> {
  const database = kysely(em);
  const [counted] = await runStatement<Pick<LoginAttempts, "windowEndsAt">>(
    database,
    `insert into login_attempts as counted (key, attempts, window_ends_at) values ($1, 1, now() + ${WINDOW})
    on conflict (key) do update set
      attempts = case when counted.window_ends_at > now() then counted.attempts + 1 else 1 end,
      window_ends_at = case when counted.window_ends_at > now() then counted.window_ends_at else excluded.window_ends_at end
    where counted.window_ends_at <= now() or counted.attempts < $2
    returning window_ends_at as "windowEndsAt"`,
    [key, limit],
  );
  if (counted) return counted.windowEndsAt;
  const text =
    "select ceil(extract(epoch from window_ends_at - now()))::int as wait from login_attempts where key = $1";
  const [full] = await runStatement<{ wait: number }>(database, text, [key]);
  const seconds = Math.max(1, full?.wait ?? 0);
  throw new AppError("RATE_LIMITED", refusal, { hint: `Try again in ${seconds} seconds.` });
}

/** Digests, so that the table names neither people nor places. */
export function digestKey(...parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
