import type { EntityManager } from "@mikro-orm/postgresql";
import { projections, runStatement } from "../../core/database.ts";
import { eachShop } from "../each-shop.ts";
import { inBatches } from "./in-batches.ts";

const BATCH = 5_000;

// Rows that another worker is deleting are left to it: two of them do not wait for each other.
const sessions = `
  delete from sessions where id = any(array(
    select id from sessions where expires_at < now() limit ${BATCH} for update skip locked
  )) returning 1`;

const ofShop = [
  `with expired as materialized (
    select caller_id, key from idempotency_keys where shop_id = $1 and created_at < now() - interval '24 hours'
    limit ${BATCH} for update skip locked
  )
  delete from idempotency_keys using expired
  where shop_id = $1 and idempotency_keys.caller_id = expired.caller_id and idempotency_keys.key = expired.key
  returning 1`,
  `update webhook_endpoints set sealed_old_secret = null
  where shop_id = $1 and sealed_old_secret is not null and old_secret_expires_at <= now()
  returning 1`,
];

/** Deletes the idempotency keys, the sessions and the old signing secrets whose time is over, until `signal` says to stop. */
export async function purgeExpired(em: EntityManager, signal: AbortSignal): Promise<void> {
  const purge = (statement: string, values: string[]) =>
    inBatches(signal, async () => (await runStatement(projections(em), statement, values)).length === BATCH);
  await purge(sessions, []);
  await eachShop(em, signal, async (shopId) => {
    for (const statement of ofShop) await purge(statement, [shopId]);
  });
}
