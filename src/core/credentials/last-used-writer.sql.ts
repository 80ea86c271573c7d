// Text, since it locks the rows of many shops in one order, by a list of keys, before it updates them.
import type { Kysely } from "kysely";
import type { Logger } from "../../platform/telemetry/logger.ts";
import { Recurring } from "../../platform/recurring.ts";
import type { Database } from "../model/tables.ts";
import { query } from "../queries/database.ts";

const INTERVAL = 10_000;

type Table = "api_keys" | "service_tokens";

interface Use {
  shopId: string;
  id: string;
  /** By the monotonic clock. Stored as an age relative to PostgreSQL's clock. Milliseconds. */
  at: number;
}

const statement = (table: Table) => ({
  name: `write uses of ${table}`,
  text: `with uses as (
      select shop_id, id, now() - age * interval '1 millisecond' as at from ${table}
      join unnest($1::text[], $2::text[], $3::float8[]) as used (used_shop_id, used_id, age)
        on shop_id = used_shop_id and id = used_id
      order by shop_id, id for no key update of ${table}
    )
    update ${table} set last_used_at = greatest(last_used_at, uses.at) from uses
    where ${table}.shop_id = uses.shop_id and ${table}.id = uses.id`,
});

/** Buffers when credentials were last used, and writes the times of many requests with one statement. */
export class LastUsedWriter {
  readonly #database: Kysely<Database>;
  readonly #logger: Logger;
  readonly #writes: Recurring;
  readonly #pending: Record<Table, Map<string, Use>> = { api_keys: new Map(), service_tokens: new Map() };

  /** `interval` is in milliseconds. */
  constructor(options: { database: Kysely<Database>; logger: Logger; interval?: number }) {
    this.#database = options.database;
    this.#logger = options.logger;
    this.#writes = new Recurring(options.interval ?? INTERVAL, () => this.#write());
  }

  record(table: Table, shopId: string, id: string): void {
    this.#pending[table].set(id, { shopId, id, at: performance.now() });
  }

  start(): void {
    this.#writes.start();
  }

  /** Writes the remaining times. */
  stop(): Promise<void> {
    return this.#writes.stop();
  }

  /** Never throws. */
  async #write(): Promise<void> {
    for (const table of ["api_keys", "service_tokens"] as const) {
      const uses = [...this.#pending[table].values()];
      if (uses.length === 0) continue;
      this.#pending[table].clear();
      await this.#writeUses(table, uses).catch((error: unknown) => {
        this.#logger.warn({ err: error, table }, "last uses could not be written; retrying");
        for (const use of uses) {
          // It may have been used again in the meantime.
          if (!this.#pending[table].has(use.id)) this.#pending[table].set(use.id, use);
        }
      });
    }
  }

  async #writeUses(table: Table, uses: Use[]): Promise<void> {
    const now = performance.now();
    const values = [uses.map(({ shopId }) => shopId), uses.map(({ id }) => id), uses.map(({ at }) => now - at)];
    await query(this.#database, statement(table), values);
  }
}
