import type { EntityManager } from "@mikro-orm/postgresql";

/** PostgreSQL's code for a deadlock, which ends one of its transactions. */
const DEADLOCK = "40P01";
const TRIES = 3;

/** Runs the work in a transaction. After a deadlock, it runs the work again. */
export async function transactional<Result>(
  em: EntityManager,
  work: (inside: EntityManager) => Promise<Result>,
): Promise<Result> {
  // Inside a transaction, the locks that it has would stay.
  for (let left = em.isInTransaction() ? 0 : TRIES - 1; ; left -= 1) {
    try {
      return await em.transactional(work);
    } catch (error) {
      if (left === 0 || (error as { code?: unknown }).code !== DEADLOCK) throw error;
    }
  }
}
