import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely } from "../core/queries/database.ts";

/** Does something for one shop after another, so that each statement is of one, until `signal` says to stop. */
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
