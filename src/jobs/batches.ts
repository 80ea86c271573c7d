import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely } from "../core/queries/database.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";

/**
 * Runs the work for each shop in turn, so that each statement reads a single shop. Stops when `signal` aborts.
 *
 * @throws the first error of a shop that is unavailable, as when its node of a cluster is down, after all other shops
 */
export async function eachShop(
  em: EntityManager,
  signal: AbortSignal,
  work: (shopId: string) => Promise<void>,
): Promise<void> {
  const shops = await kysely(em).selectFrom("shops").select("id").orderBy("id").execute();
  const errors: unknown[] = [];
  for (const { id } of shops) {
    if (signal.aborted) return;
    try {
      await work(id);
    } catch (error) {
      if (!isDatabaseUnavailable(error)) throw error;
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
}

/**
 * Repeats a batch until nothing is left or `signal` aborts. It pauses after each batch for as long as the batch took,
 * which leaves half of the database's time to others.
 */
export async function inBatches(signal: AbortSignal, doBatch: () => Promise<boolean>): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    const isMore = await doBatch();
    if (!isMore) return;
    await wait(performance.now() - startedAt, undefined, { signal }).catch(() => undefined);
  }
}
