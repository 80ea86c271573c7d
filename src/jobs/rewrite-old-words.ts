import type { EntityManager } from "@mikro-orm/postgresql";
import { rewriteBatch, SEARCHED_TABLES } from "../core/moves/file/rewrite-search-words.ts";
import { eachShop, inBatches } from "./batches.ts";

/** Computes the search words again that an earlier release has written. @throws when `signal` aborts, to continue later */
export async function rewriteOldWords(em: EntityManager, signal: AbortSignal): Promise<void> {
  await eachShop(em, signal, async (shopId) => {
    for (const table of SEARCHED_TABLES) {
      let after: string | undefined = "";
      await inBatches(signal, async () => {
        after = await rewriteBatch(em, shopId, table, { after: after!, onlyOld: true });
        return after !== undefined;
      });
    }
  });
  signal.throwIfAborted();
}
