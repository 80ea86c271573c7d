import {
  PostgresDialect,
  PostgresDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type TransactionSettings,
} from "kysely";
import type pg from "pg";
import { Connection } from "./connection.ts";

/** Receives the time waited for a connection, in milliseconds. */
type OnWait = (duration: number) => void;

/**
 * Kysely's driver, which pipelines the beginning of a transaction, and returns a connection to the pool even if the
 * rollback fails. Kysely would not, so the pool would lose it (https://github.com/kysely-org/kysely/issues/1990). The
 * pool closes broken connections.
 *
 * Kysely also does not return a connection that is opening when the driver is destroyed, so the pool would never end.
 */
class PoolDriver extends PostgresDriver {
  readonly #pool: pg.Pool;
  readonly #onWait: OnWait;
  readonly #acquiring = new Set<Promise<unknown>>();

  constructor(pool: pg.Pool, onWait: OnWait) {
    super({ pool });
    this.#pool = pool;
    this.#onWait = onWait;
  }

  override async acquireConnection(): Promise<Connection> {
    const askedAt = performance.now();
    const acquired = this.#pool.connect();
    this.#acquiring.add(acquired);
    try {
      const client = await acquired;
      this.#onWait(performance.now() - askedAt);
      return new Connection(client);
    } finally {
      this.#acquiring.delete(acquired);
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).client.release();
  }

  override async destroy(): Promise<void> {
    await Promise.allSettled(this.#acquiring);
    await super.destroy();
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const executeQuery = (query: CompiledQuery) => (connection as Connection).begin(query);
    await super.beginTransaction({ ...connection, executeQuery }, settings);
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).ignorePipelined();
    try {
      await super.rollbackTransaction(connection);
    } catch (error) {
      await this.releaseConnection(connection);
      throw error;
    }
  }
}

/** Kysely's dialect with this driver. */
export class PoolDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #onWait: OnWait;

  constructor(pool: pg.Pool, onWait: OnWait = () => undefined) {
    super({ pool });
    this.#pool = pool;
    this.#onWait = onWait;
  }

  override createDriver(): PoolDriver {
    return new PoolDriver(this.#pool, this.#onWait);
  }
}
