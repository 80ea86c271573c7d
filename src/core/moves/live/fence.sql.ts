// Text, since triggers have no builder, and their names and arguments no parameters.
import { setTimeout as wait } from "node:timers/promises";
import type { EntityManager } from "@mikro-orm/postgresql";
import { becomesTrue } from "../../../platform/recurring.ts";
import { kysely, query } from "../../queries/database.ts";
import { transactional } from "../../queries/transaction.ts";
import type { MovedTable } from "../moved-rows.sql.ts";

/** Batches of all shops write these tables: a row of a closed shop is left out, so that the batch does not fail. */
const batched = new Set([
  "deliveries",
  "outstanding_deliveries",
  "delivery_attempts",
  "api_requests",
  "hourly_requests",
]);

/** A lock on a table makes writers wait. Milliseconds. */
const LOCK_TIMEOUT = 100;
const PAUSE = 200;

/** Any writer that found the shop open ends by then. Milliseconds. */
const PATIENCE = 5_000;

interface Fenced {
  tables: readonly MovedTable[];
  shopId: string;
  signal: AbortSignal;
}

/** Makes the database refuse writes to the rows of the shop from the moment when it is closed. Can be repeated. */
export async function raiseFence(em: EntityManager, { tables, shopId, signal }: Fenced): Promise<void> {
  for (const { name, ownerColumn } of tables) {
    const [write, remove] = namesOf(shopId);
    const call = `execute function refuse_write_to_moving_shop('${shopId}', '${batched.has(name) ? "skip" : "refuse"}')`;
    const isTheirs = `${ownerColumn} = '${shopId}'`;
    const statements =
      name === "shops"
        ? // Closing and opening the shop pass.
          [
            `create or replace trigger ${write} before update on shops for each row
             when (old.${isTheirs} and old.closed_at is not null and new.closed_at is not null) ${call}`,
          ]
        : [
            `create or replace trigger ${write} before insert or update on ${name} for each row when (new.${isTheirs}) ${call}`,
            `create or replace trigger ${remove} before delete on ${name} for each row when (old.${isTheirs}) ${call}`,
          ];
    await runLocking(em, statements, signal);
  }
}

export async function lowerFence(em: EntityManager, { tables, shopId, signal }: Fenced): Promise<void> {
  for (const { name } of tables) {
    const statements = namesOf(shopId).map((trigger) => `drop trigger if exists ${trigger} on ${name}`);
    await runLocking(em, statements, signal);
  }
}

const namesOf = (shopId: string) => [`move_${shopId}_write`, `move_${shopId}_delete`] as const;

/** Tries until it gets the lock soon enough, so that other writers hardly wait. */
async function runLocking(em: EntityManager, statements: readonly string[], signal: AbortSignal): Promise<void> {
  for (;;) {
    try {
      return await transactional(em, async (inside) => {
        await query(kysely(inside), { text: `set local lock_timeout = ${LOCK_TIMEOUT}` }, []);
        for (const text of statements) await query(kysely(inside), { text }, []);
      });
    } catch (error) {
      if ((error as { code?: unknown }).code !== "55P03") throw error;
      await wait(PAUSE, undefined, { signal });
    }
  }
}

const findWriters = `select 1 from pg_locks
  where locktype = 'advisory' and objsubid = 1 and pid <> pg_backend_pid()
    and database = (select oid from pg_database where datname = current_database())
    and (classid::bigint << 32 | objid::bigint) = hashtextextended('move ' || $1, 0)
  limit 1`;

/** Waits until the transactions have ended that found the shop open. Returns false if they take too long. */
export function awaitWriters(em: EntityManager, shopId: string): Promise<boolean> {
  return becomesTrue(async () => (await query(kysely(em), { text: findWriters }, [shopId])).length === 0, PATIENCE);
}
