import type { EntityManager } from "@mikro-orm/postgresql";
import { firstIdOf } from "../../core/model/ids.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { kysely, runStatement } from "../../core/queries/database.ts";
import { eachShop } from "../each-shop.ts";
import { inBatches } from "./in-batches.ts";
import { RETENTION_MS } from "./purge-events.ts";

/** The most requests that are kept of a shop. */
export const MAX_REQUESTS = 100_000;
const BATCH = 5_000;

/** $2 is the first identifier that is young enough, and $3 the most that are kept. */
const statement = `delete from api_requests where shop_id = $1 and id = any(array(
    select id from api_requests where shop_id = $1 and id < greatest($2, (
      select id from api_requests where shop_id = $1 order by id desc offset $3::int - 1 limit 1
    )) order by id limit ${BATCH} for update skip locked
  )) returning 1`;

/** Deletes requests of 30 days ago, and those beyond the newest of a shop, until `signal` says to stop. */
export async function purgeRequests(em: EntityManager, signal: AbortSignal, maxRequests = MAX_REQUESTS): Promise<void> {
  const first = firstIdOf("req", new Date((await databaseTime(em)).getTime() - RETENTION_MS));
  await eachShop(em, signal, (shopId) =>
    inBatches(signal, async () => {
      const deleted = await runStatement(kysely(em), statement, [shopId, first, maxRequests]);
      return deleted.length === BATCH;
    }),
  );
}
