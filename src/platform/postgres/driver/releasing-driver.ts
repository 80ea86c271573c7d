import { PostgresDriver, type DatabaseConnection } from "kysely";

type Acquired = ReturnType<PostgresDriver["acquireConnection"]>;

/**
 * Kysely's driver, giving a connection back to the pool when the statement that begins or rolls back a transaction
 * fails. Kysely keeps it, and the pool is one short for good (https://github.com/kysely-org/kysely/issues/1990). The
 * pool closes a connection that is broken.
 *
 * Kysely also keeps one that is being made when the driver is destroyed, and the pool waits for it without end.
 */
export class ReleasingDriver extends PostgresDriver {
  readonly #acquiring = new Set<Acquired>();

  override async acquireConnection(...call: Parameters<PostgresDriver["acquireConnection"]>): Acquired {
    const acquired = super.acquireConnection(...call);
    this.#acquiring.add(acquired);
    try {
      return await acquired;
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
