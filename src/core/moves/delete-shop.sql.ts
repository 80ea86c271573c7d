// Text, since PostgreSQL lists the tables, and batches find rows by their place.
import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { OperatorError } from "../../platform/errors.ts";
import { inTransaction, type Operation, type ShopKey } from "../access/operation.ts";
import { Shop } from "../model/shops/shop.entity.ts";
import { kysely, query } from "../queries/database.ts";
import { databaseTime } from "../queries/database-time.ts";
import { transactional } from "../queries/transaction.ts";
import { lockShop } from "../shops/shops.ts";
import { closeShop, timeToSettle } from "./close-shop.ts";
import { readCatalog } from "./moved-rows.sql.ts";
import { listMovedTables } from "./moved-tables.ts";

interface DeleteOptions {
  /** The shop's name, repeated. */
  confirm: string;
  signal: AbortSignal;
  onProgress: (message: string) => void;
}

export interface DeletedShop {
  id: string;
  name: string;
  deletedRows: number;
  /** The accounts that were members of no other shop. */
  deletedAccounts: number;
}

const BATCH = 1_000;
const EVENTS = 200;
/** The time until requests with a deleted key are refused, and earlier ones are in the log. Milliseconds. */
const LOG_DELAY = 2_000;

/** Deleted with their event: their indexes do not start with the shop. */
const ofEvents = ["deliveries", "outstanding_deliveries", "delivery_attempts", "events"];
/** Not among the tables that move. */
const ofImports = ["import_chunks", "import_items", "imports"];
/** Deleted at the end, in one transaction. */
const ofEnd = ["record_counts", "memberships", "shops"];
/** Deleted first, so that nobody makes further requests, and again later, because requests are logged late. */
const credentials = ["api_keys", "service_tokens"];
const logs = ["api_requests", "hourly_requests"];
/** Kept when a sandbox is emptied. */
const ofIntegrations = [
  "webhook_endpoints",
  "deleted_webhook_endpoints",
  "hourly_attempts",
  "number_sequences",
  "audit_entries",
  "invitations",
];

const deleteRows = (table: string) => `delete from ${table} where shop_id = $1 and ctid = any(array(
  select ctid from ${table} where shop_id = $1 limit ${BATCH})) returning 1`;

const findEvents = `select id from events where shop_id = $1 order by id limit ${EVENTS}`;
const deleteDeliveries = "delete from deliveries where shop_id = $1 and event_id = any($2) returning id";
const deleteOutstanding = "delete from outstanding_deliveries where shop_id = $1 and id = any($2) returning 1";
const deleteAttempts = "delete from delivery_attempts where shop_id = $1 and delivery_id = any($2) returning 1";
const deleteEvents = "delete from events where shop_id = $1 and id = any($2) returning 1";

/** Jobs that run are deleted by their worker, or later. */
const deleteJobs = `delete from graphile_worker._private_jobs
  where (payload ->> 'shopId' = $1 or payload ->> 'staffId' = any($2)) and locked_at is null`;
const findJob = "select 1 from graphile_worker._private_jobs where payload ->> 'shopId' = $1 limit 1";

const lockAccounts = `select id from staff where id in (select staff_id from memberships where shop_id = $1)
  order by id for update`;
const deleteMemberships = "delete from memberships where shop_id = $1 returning 1";
const findUnused = `select id from staff where id = any($1)
  and not exists (select from memberships where staff_id = staff.id)`;

/**
 * Deletes a closed shop with its sandboxes and everything that belongs to it alone, in batches. A deletion that was
 * interrupted continues with the next call.
 *
 * @throws AppError SHOP_NOT_FOUND; OperatorError while the shop is open, and for another name
 */
export async function deleteShop(operation: Operation<ShopKey>, options: DeleteOptions): Promise<DeletedShop> {
  const { em, shop } = operation;
  const { confirm, signal, onProgress } = options;
  const { name, closedAt } = await begin(operation, confirm);
  let deletedRows = 0;
  for (const sandbox of await em.find(Shop, { sandboxOf: shop.id }, { disableIdentityMap: true })) {
    onProgress(`Deleting ${sandbox.name}`);
    const own = { ...operation, shop: sandbox };
    if (!sandbox.closedAt) await closeShop(own);
    deletedRows += (await deleteShop(own, { ...options, confirm: sandbox.name })).deletedRows;
  }
  await wait(await timeToSettle(em, closedAt!, onProgress), undefined, { signal });
  const empty = async (tables: readonly string[]): Promise<void> => {
    for (const table of tables) {
      const rows = await emptyTable(em, shop.id, table, signal);
      if (rows > 0) onProgress(`${table}: ${rows}`);
      deletedRows += rows;
    }
  };
  await empty(credentials);
  const withoutKeys = performance.now();
  await empty(await listRecords(em));
  await empty(ofIntegrations);
  await wait(Math.max(0, withoutKeys + LOG_DELAY - performance.now()), undefined, { signal });
  await empty(logs);
  await awaitJobs(em, shop.id, signal);
  const end = await transactional(em, (inside) => finish(inside, shop.id));
  return { id: shop.id, name, deletedRows: deletedRows + end.rows, deletedAccounts: end.accounts };
}

/** Deletes the records of a sandbox in batches. */
export async function emptySandbox(em: EntityManager, shopId: string): Promise<void> {
  for (const table of await listRecords(em)) await emptyTable(em, shopId, table);
}

/** The tables with the records of a shop, ordered so that no row refers to an earlier table. */
async function listRecords(em: EntityManager): Promise<string[]> {
  const tables = (await listMovedTables(kysely(em))).filter(({ owner }) => owner === "shop").map((table) => table.name);
  const others = new Set([...credentials, ...logs, ...ofIntegrations, ...ofEvents, ...ofEnd]);
  return ["events", "delivery_attempts", ...ofImports, ...tables.toReversed().filter((name) => !others.has(name))];
}

/** Deletes a shop's rows of a table. Returns their number. Leaves half of the database's time to others. */
async function emptyTable(em: EntityManager, shopId: string, table: string, signal?: AbortSignal): Promise<number> {
  let rows = 0;
  for (let batch = Infinity; batch > 0; rows += batch) {
    const startedAt = performance.now();
    batch = await transactional(em, (inside) =>
      table === "events" ? deleteEventBatch(inside, shopId) : deleteBatch(inside, table, shopId),
    );
    await wait(performance.now() - startedAt, undefined, { signal });
  }
  return rows;
}

/** Marks the shop, so that it cannot be opened with a part of its rows. */
async function begin(operation: Operation<ShopKey>, confirm: string): Promise<Shop> {
  return inTransaction(operation, async ({ em, shop: { id } }) => {
    const shop = await lockShop(em, id);
    if (!shop.closedAt) {
      throw new OperatorError(`The shop is open. Run: merchant-api shops close --shop ${id}`);
    }
    if (shop.name !== confirm) throw new OperatorError(`--confirm: Must be the name of ${id}, from shops show`);
    if (!shop.deletionStartedAt) await em.nativeUpdate(Shop, { id }, { deletionStartedAt: await databaseTime(em) });
    return shop;
  });
}

async function deleteBatch(em: EntityManager, table: string, shopId: string): Promise<number> {
  // Otherwise PostgreSQL may read all shops' rows for each batch of a large shop.
  await query(kysely(em), { text: "set local enable_seqscan = off" }, []);
  return (await query(kysely(em), { text: deleteRows(table) }, [shopId])).length;
}

async function deleteEventBatch(em: EntityManager, shopId: string): Promise<number> {
  const run = (text: string, ids?: readonly string[]) =>
    query<{ id: string }>(kysely(em), { text }, ids ? [shopId, ids] : [shopId]);
  const events = (await run(findEvents)).map(({ id }) => id);
  const deliveries = await run(deleteDeliveries, events);
  const ids = deliveries.map(({ id }) => id);
  const rows = [await run(deleteOutstanding, ids), await run(deleteAttempts, ids), await run(deleteEvents, events)];
  return rows.reduce((sum, { length }) => sum + length, deliveries.length);
}

/** Deletes the shop's jobs. Waits for running jobs to end. */
async function awaitJobs(em: EntityManager, shopId: string, signal: AbortSignal): Promise<void> {
  await query(kysely(em), { text: deleteJobs }, [shopId, []]);
  while ((await query(kysely(em), { text: findJob }, [shopId])).length > 0) {
    await wait(500, undefined, { signal });
    await query(kysely(em), { text: deleteJobs }, [shopId, []]);
  }
}

/** Deletes the members, the accounts without another shop, and the shop. */
async function finish(em: EntityManager, shopId: string): Promise<{ rows: number; accounts: number }> {
  const database = kysely(em);
  const members = await query<{ id: string }>(database, { text: lockAccounts }, [shopId]);
  await query(database, { text: deleteMemberships }, [shopId]);
  const unused = await query<{ id: string }>(database, { text: findUnused }, [members.map(({ id }) => id)]);
  const accounts = unused.map(({ id }) => id);
  await query(database, { text: deleteJobs }, [shopId, accounts]);
  for (const { name, columns } of await readCatalog(database)) {
    const has = (column: string) => columns.some((each) => each.name === column);
    if (!has("staff_id") || has("shop_id")) continue;
    await query(database, { text: `delete from ${name} where staff_id = any($1)` }, [accounts]);
  }
  await query(database, { text: "delete from staff where id = any($1)" }, [accounts]);
  await query(database, { text: "delete from record_counts where shop_id = $1" }, [shopId]);
  await query(database, { text: "delete from shops where id = $1" }, [shopId]);
  return { rows: members.length + 1, accounts: accounts.length };
}
