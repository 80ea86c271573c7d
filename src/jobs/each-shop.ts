import type { EntityManager } from "@mikro-orm/postgresql";
import { kysely, runStatement } from "../core/queries/database.ts";

/** Does something for one shop after another, so that each statement is of one, until `signal` says to stop. */
export async function eachShop(
  em: EntityManager,
  signal: AbortSignal,
  work: (shopId: string) => Promise<void>,
): Promise<void> {
  const shops = await runStatement<{ id: string }>(kysely(em), "select id from shops order by id", []);
  for (const { id } of shops) {
    if (signal.aborted) return;
    await work(id);
  }
}
