import { PostgresDialect, PostgresDriver, type DatabaseConnection } from "kysely";
import type pg from "pg";

/** Gets the milliseconds that were waited for a connection. */
type OnWait = (duration: number) => void;

type Acquired = ReturnType<PostgresDriver["acquireConnection"]>;

/**
 * Kysely's driver, giving a connection back to the pool when the statement that begins or rolls back a transaction
 * fails. Kysely keeps it, and the pool is one short for good (https://github.com/kysely-org/kysely/issues/1990). The
 * pool closes a connection that is broken.
 *
 * Kysely also keeps one that is being made when the driver is destroyed, and the pool waits for it without end.
 */
class ReleasingDriver extends PostgresDriver {
  readonly #onWait;
  readonly #acquiring = new Set<Acquired>();

  constructor(pool: pg.Pool, onWait: OnWait) {
    super({ pool });
    this.#onWait = onWait;
  }

  override async acquireConnection(...call: Parameters<PostgresDriver["acquireConnection"]>): Acquired {
    const askedAt = performance.now();
    const acquired = super.acquireConnection(...call);
    this.#acquiring.add(acquired);
    try {
      const connection = await acquired;
      this.#onWait(performance.now() - askedAt);
      return connection;
    } finally {
      this.#acquiring.delete(acquired);
    }
  }

  override async destroy(): Promise<void> {
    await Promise.allSettled(this.#acquiring);
    await super.destroy();
  }

  override async beginTransaction(...call: Parameters<PostgresDriver["beginTransaction"]>): Promise<void> {
    await this.#releaseOnFailure(call[0], super.beginTransaction(...call));
  }

  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    await this.#releaseOnFailure(connection, super.rollbackTransaction(connection));
  }

  async #releaseOnFailure(connection: DatabaseConnection, statement: Promise<void>): Promise<void> {
    try {
      await statement;
    } catch (error) {
      await this.releaseConnection(connection as Parameters<PostgresDriver["releaseConnection"]>[0]);
      throw error;
    }
  }
}

/** Kysely's dialect with that driver. */
export class ReleasingDialect extends PostgresDialect {
  readonly #pool: pg.Pool;
  readonly #onWait: OnWait;

  constructor(pool: pg.Pool, onWait: OnWait = () => undefined) {
    super({ pool });
    this.#pool = pool;
    this.#onWait = onWait;
  }

  override createDriver(): ReleasingDriver {
    return new ReleasingDriver(this.#pool, this.#onWait);
  }
}
