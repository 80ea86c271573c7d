// Text, since batches lock rows that nobody else holds, found by an index whatever PostgreSQL believes of the table.
import type { EntityManager } from "@mikro-orm/postgresql";
import { firstIdOf } from "../../core/model/ids.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { eachShop } from "../each-shop.ts";
import { inBatches } from "./in-batches.ts";
import { KEPT_MS } from "./purge-events.sql.ts";

/** The most requests that are kept of a shop. */
export const MOST_KEPT = 100_000;
const BATCH = 5_000;

/** $2 is the first identifier that is young enough, and $3 the most that are kept. */
const text = `delete from api_requests where shop_id = $1 and id = any(array(
    select id from api_requests where shop_id = $1 and id < greatest($2, (
      select id from api_requests where shop_id = $1 order by id desc offset $3::int - 1 limit 1
    )) order by id limit ${BATCH} for update skip locked
  )) returning 1`;

/** Deletes requests of 30 days ago, and those beyond the newest of a shop, until `signal` says to stop. */
export async function purgeRequests(em: EntityManager, signal: AbortSignal, mostKept = MOST_KEPT): Promise<void> {
  const first = firstIdOf("req", new Date((await databaseTime(em)).getTime() - KEPT_MS));
  await eachShop(em, signal, (shopId) =>
    inBatches(signal, async () => {
      const deleted = await query(kysely(em), { text }, [shopId, first, mostKept]);
      return deleted.length === BATCH;
    }),
  );
}
