import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";

/**
 * PostgreSQL's codes for a transaction that succeeds when it runs again: deadlocks, and serialization failures, which
 * Citus reports while it moves a shop.
 */
const REPEATABLE = new Set<unknown>(["40P01", "40001"]);
const TRIES = 5;
/** The longest pause between two tries, chosen at random, so that the same transactions do not meet again. Milliseconds. */
const PAUSE = 100;

/** Runs the work in a transaction. After a deadlock or a serialization failure, it runs the work again. */
export async function transactional<Result>(
  em: EntityManager,
  work: (inside: EntityManager) => Promise<Result>,
): Promise<Result> {
  // Inside a transaction, the locks that it has would stay.
  for (let left = em.isInTransaction() ? 0 : TRIES - 1; ; left -= 1) {
    try {
      // oxlint-disable-next-line no-restricted-properties -- The one place.
      return await em.transactional(work);
    } catch (error) {
      if (left === 0 || !REPEATABLE.has((error as { code?: unknown }).code)) throw error;
      await wait(Math.random() * PAUSE);
    }
  }
}
