// Text, since batches skip locked rows and use an index regardless of statistics.
import type { EntityManager } from "@mikro-orm/postgresql";
import { KEY_LIFETIME } from "../../core/idempotency/run-idempotent.ts";
import { kysely, query } from "../../core/queries/database.ts";
import { OLDEST_KNOWN_USE } from "../../core/staff/sessions/known-device.ts";
import { eachShop, inBatches } from "../batches.ts";
import { system } from "../../core/access/actor.ts";
import { SANDBOX_LIFETIME } from "../../core/shops/sandbox-rules.ts";
import { NotificationKind } from "../../core/model/notifications/notification-kind.ts";
import { closeShop } from "../../core/moves/close-shop.ts";
import { deleteShop } from "../../core/moves/delete-shop.sql.ts";
import { RETENTION, RETENTION_MS } from "./purge-events.sql.ts";
import { firstIdOf } from "../../core/model/ids.ts";
import { MAX_REQUESTS } from "../../core/model/requests/api-request.entity.ts";
import { databaseTime } from "../../core/queries/database-time.ts";

const BATCH = 5_000;
/** How long the file of an import that was not started is kept, and the problems of one that has ended. */
const UNUSED_IMPORT = "interval '1 day'";

/** Conditions for expired rows of tables without a shop. */
const ofNoShop = {
  sessions: "expires_at <= now()",
  password_resets: "expires_at <= now()",
  second_factors: "expires_at <= now()",
  login_attempts: "window_ends_at <= now()",
  known_devices: `last_used_at <= ${OLDEST_KNOWN_USE}`,
};

// Rows locked by another worker are skipped, so two workers never wait for each other.
const ofShop = [
  `with expired as materialized (
    select caller_id, key from idempotency_keys where shop_id = $1 and created_at < now() - ${KEY_LIFETIME}
    limit ${BATCH} for update skip locked
  )
  delete from idempotency_keys using expired
  where shop_id = $1 and idempotency_keys.caller_id = expired.caller_id and idempotency_keys.key = expired.key
  returning 1`,
  `update webhook_endpoints set sealed_old_secret = null
  where shop_id = $1 and id = any(array(
    select id from webhook_endpoints
    where shop_id = $1 and sealed_old_secret is not null and old_secret_expires_at <= now()
    for no key update skip locked
  )) returning 1`,
  `delete from hourly_attempts where shop_id = $1 and hour < now() - ${RETENTION} returning 1`,
  `delete from hourly_requests where shop_id = $1 and hour < now() - ${RETENTION} returning 1`,
  `delete from deleted_webhook_endpoints where shop_id = $1 and deleted_at < now() - ${RETENTION} returning 1`,
  `delete from imports where shop_id = $1 and started_at is null and created_at < now() - ${UNUSED_IMPORT} returning 1`,
  `with expired as materialized (
    select import_id, number from import_items where shop_id = $1 and import_id = any(array(
      select id from imports where shop_id = $1 and ended_at < now() - ${UNUSED_IMPORT}
    )) limit ${BATCH} for update skip locked
  )
  delete from import_items using expired
  where shop_id = $1 and import_items.import_id = expired.import_id and import_items.number = expired.number
  returning 1`,
  `delete from notices where shop_id = $1 and mailed_at < now() - ${RETENTION} returning 1`,
];

/** Repeats a statement that returns the rows of its batch. */
const purging = (em: EntityManager, signal: AbortSignal) => (text: string, values: unknown[]) =>
  inBatches(signal, async () => (await query(kysely(em), { text }, values)).length === BATCH);

/**
 * Deletes expired idempotency keys, sessions, password resets, unconfirmed second factors, known devices, login counts,
 * old signing secrets, hourly counts, deleted endpoints, notices, and the files and records of imports. Stops when `signal` aborts.
 */
export async function purgeExpired(em: EntityManager, signal: AbortSignal): Promise<void> {
  const purge = purging(em, signal);
  for (const [table, isExpired] of Object.entries(ofNoShop)) {
    const rows = `select ctid from ${table} where ${isExpired} limit ${BATCH} for update skip locked`;
    await purge(`delete from ${table} where ctid = any(array(${rows})) returning 1`, []);
  }
  await eachShop(em, signal, async (shopId) => {
    for (const statement of ofShop) await purge(statement, [shopId]);
  });
}

/** `$2` is the first id that is recent enough, `$3` the maximum number of requests. */
const text = `delete from api_requests where shop_id = $1 and id = any(array(
    select id from api_requests where shop_id = $1 and id < greatest($2, (
      select id from api_requests where shop_id = $1 order by id desc offset $3::int - 1 limit 1
    )) order by id limit ${BATCH} for update skip locked
  )) returning 1`;

/** Deletes requests older than 30 days, and the oldest ones over the shop's maximum. Stops when `signal` aborts. */
export async function purgeRequests(em: EntityManager, signal: AbortSignal, maxRequests = MAX_REQUESTS): Promise<void> {
  const first = firstIdOf("req", new Date((await databaseTime(em)).getTime() - RETENTION_MS));
  const purge = purging(em, signal);
  await eachShop(em, signal, (shopId) => purge(text, [shopId, first, maxRequests]));
}

/**
 * A sandbox that nobody has used since the mail about its end, which "notify-expiring" sends a week before. One at a time:
 * the other may be used while the first is being deleted.
 */
const findUnused = `select shops.id, name from shops join notices on shop_id = $1 and target_id = shops.id
  where sandbox_of = $1 and kind = '${NotificationKind.SANDBOX_ENDING}'
    and sandbox_used_at <= now() - ${SANDBOX_LIFETIME} and notices.created_at <= now() - interval '6 days'
    and (details->>'endsAt')::timestamptz = sandbox_used_at + ${SANDBOX_LIFETIME} limit 1`;

/** Deletes unused sandboxes. Stops when `signal` aborts. */
export async function purgeSandboxes(em: EntityManager, signal: AbortSignal): Promise<void> {
  await eachShop(em, signal, async (shopId) => {
    for (const shop of await query<{ id: string; name: string }>(kysely(em), { text: findUnused }, [shopId])) {
      await closeShop({ em, shop, actor: system });
      await deleteShop({ em, shop, actor: system }, { confirm: shop.name, signal, onProgress: () => undefined });
    }
  });
}
