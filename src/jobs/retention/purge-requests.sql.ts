// Text, since batches skip locked rows and use an index whatever the statistics say.
import type { EntityManager } from "@mikro-orm/postgresql";
import { firstIdOf } from "../../core/model/ids.ts";
import { databaseTime } from "../../core/queries/database-time.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { eachShop } from "../each-shop.ts";
import { inBatches } from "./in-batches.ts";
import { RETENTION_MS } from "./purge-events.sql.ts";

/** The maximum number of requests kept for a shop. */
export const MAX_REQUESTS = 100_000;
const BATCH = 5_000;

/** `$2` is the first id that is recent enough, `$3` the maximum number of requests. */
const text = `delete from api_requests where shop_id = $1 and id = any(array(
    select id from api_requests where shop_id = $1 and id < greatest($2, (
      select id from api_requests where shop_id = $1 order by id desc offset $3::int - 1 limit 1
    )) order by id limit ${BATCH} for update skip locked
  )) returning 1`;

/** Deletes requests older than 30 days, and the oldest ones over the shop's maximum. Stops when `signal` aborts. */
export async function purgeRequests(em: EntityManager, signal: AbortSignal, maxRequests = MAX_REQUESTS): Promise<void> {
  const first = firstIdOf("req", new Date((await databaseTime(em)).getTime() - RETENTION_MS));
  await eachShop(em, signal, (shopId) =>
    inBatches(signal, async () => {
      const deleted = await query(kysely(em), { text }, [shopId, first, maxRequests]);
      return deleted.length === BATCH;
    }),
  );
}
