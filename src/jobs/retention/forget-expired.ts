import type { Kysely } from "kysely";
import { runStatement, type Database } from "../../core/database.ts";
import { inBatches } from "./in-batches.ts";

const BATCH = 5_000;

// Rows that another worker is deleting are left to it: two of them do not wait for each other.
const statements = [
  `with expired as materialized (
    select shop_id, caller_id, key from idempotency_keys where created_at < now() - interval '24 hours'
    limit $1 for update skip locked
  )
  delete from idempotency_keys using expired
  where idempotency_keys.shop_id = expired.shop_id and idempotency_keys.caller_id = expired.caller_id
    and idempotency_keys.key = expired.key
  returning 1`,
  `with expired as materialized (
    select id from sessions where expires_at < now() limit $1 for update skip locked
  )
  delete from sessions using expired where sessions.id = expired.id
  returning 1`,
  `with expired as materialized (
    select shop_id, id from webhook_endpoints where sealed_old_secret is not null and old_secret_expires_at <= now()
    limit $1 for no key update skip locked
  )
  update webhook_endpoints endpoint set sealed_old_secret = null
  from expired where endpoint.shop_id = expired.shop_id and endpoint.id = expired.id
  returning 1`,
];

/** Deletes the idempotency keys, the sessions and the old signing secrets whose time is over, until `signal` says to stop. */
export async function forgetExpired(database: Kysely<Database>, signal: AbortSignal): Promise<void> {
  for (const statement of statements) {
    await inBatches(signal, async () => {
      const deleted = await runStatement(database, statement, [BATCH]);
      return deleted.length === BATCH;
    });
  }
}
