import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely } from "../core/queries/database.ts";

/** Runs the work for each shop in turn, so that each statement reads a single shop. Stops when `signal` aborts. */
export async function eachShop(
  em: EntityManager,
  signal: AbortSignal,
  work: (shopId: string) => Promise<void>,
): Promise<void> {
  const shops = await kysely(em).selectFrom("shops").select("id").orderBy("id").execute();
  for (const { id } of shops) {
    if (signal.aborted) return;
    await work(id);
  }
}
