// Text, since Kysely cannot alias the table of an insert for its `on conflict`.
import { createHash } from "node:crypto";
import type { EntityManager } from "@mikro-orm/postgresql";
import { AppError } from "../../model/errors.ts";
import type { LoginAttempts } from "../../model/staff/login-attempts.entity.ts";
import { kysely, query } from "../../queries/database.ts";

/** The length of a window. */
const WINDOW = "interval '15 minutes'";

export interface Counter {
  key: Buffer;
  limit: number;
}

/**
 * SQL: counts an attempt for key `$1` while there are fewer than `$2` in the window, and returns the window's end. No
 * row when the limit is reached. A single statement, so that concurrent attempts run one after another.
 */
export const COUNT_ONE = `insert into login_attempts as counted (key, attempts, window_ends_at)
    values ($1, 1, now() + ${WINDOW})
    on conflict (key) do update set
      attempts = case when counted.window_ends_at > now() then counted.attempts + 1 else 1 end,
      window_ends_at = case when counted.window_ends_at > now() then counted.window_ends_at else excluded.window_ends_at end
    where counted.window_ends_at <= now() or counted.attempts < $2
    returning window_ends_at as "windowEndsAt"`;

/** Counts an attempt and returns the window's end. Undefined when the limit is reached. */
export async function tryCount(em: EntityManager, { key, limit }: Counter): Promise<Date | undefined> {
  const statement = { name: "count attempt", text: COUNT_ONE };
  const [counted] = await query<Pick<LoginAttempts, "windowEndsAt">>(kysely(em), statement, [key, limit]);
  return counted?.windowEndsAt;
}

/** The attempts in the window. */
export async function readCount(em: EntityManager, { key }: Pick<Counter, "key">): Promise<number> {
  const text = "select attempts from login_attempts where key = $1 and window_ends_at > now()";
  const [counted] = await query<Pick<LoginAttempts, "attempts">>(kysely(em), { text }, [key]);
  return counted?.attempts ?? 0;
}

/** The error when the limit is reached, with the time to wait. */
export async function refuse(em: EntityManager, { key }: Counter, message: string): Promise<AppError> {
  const text =
    "select ceil(extract(epoch from window_ends_at - now()))::int as wait from login_attempts where key = $1";
  const [full] = await query<{ wait: number }>(kysely(em), { text }, [key]);
  const seconds = Math.max(1, full?.wait ?? 0);
  return new AppError("RATE_LIMITED", message, { hint: `Try again in ${seconds} seconds.` });
}

/** Stored as digests, so that the table contains no addresses. */
export function digestKey(...parts: string[]): Buffer {
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}
