import { CompiledQuery, PostgresDialect, type DatabaseConnection, type PostgresDialectConfig } from "kysely";
import { FairQueue } from "../fair-queue.ts";
import { currentVisit } from "../tenant.ts";
import { ReleasingDriver } from "./releasing-driver.ts";

/** The part of the pool's connections that one tenant may use at a time. */
const SHARE = 0.4;

/**
 * The time that one statement of a request may take, in milliseconds: a search for what is everywhere, or a page far
 * away. The service's own work may take longer (`databaseTimeouts`).
 */
const MOST_TIME = 2_000;
const limitTime = CompiledQuery.raw(`set statement_timeout = ${MOST_TIME}`);
const resetTime = CompiledQuery.raw("reset statement_timeout");

type Connection = Parameters<ReleasingDriver["releaseConnection"]>[0];

/** Kysely's dialect on a pool whose connections tenants use in turns. */
export class FairDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  readonly #poolSize: number;

  constructor(config: PostgresDialectConfig, poolSize: number) {
    super(config);
    this.#config = config;
    this.#poolSize = poolSize;
  }

  override createDriver(): FairDriver {
    const placesEach = Math.max(1, Math.floor(this.#poolSize * SHARE));
    return new FairDriver(this.#config, new FairQueue({ places: this.#poolSize, placesEach }));
  }
}

class FairDriver extends ReleasingDriver {
  readonly #queue: FairQueue;
  readonly #tenants = new Map<DatabaseConnection, string | undefined>();
  readonly #limited = new WeakSet<DatabaseConnection>();

  constructor(config: PostgresDialectConfig, queue: FairQueue) {
    super(config);
    this.#queue = queue;
  }

  override async acquireConnection(...call: Parameters<ReleasingDriver["acquireConnection"]>): Promise<Connection> {
    const tenant = currentVisit()?.tenant;
    await this.#queue.enter(tenant);
    try {
      const connection = (await super.acquireConnection(...call)) as Connection;
      await this.#limitTime(connection, tenant !== undefined);
      this.#tenants.set(connection, tenant);
      return connection;
    } catch (error) {
      this.#queue.leave(tenant);
      throw error;
    }
  }

  async #limitTime(connection: Connection, isLimited: boolean): Promise<void> {
    if (this.#limited.has(connection) === isLimited) return;
    try {
      await connection.executeQuery(isLimited ? limitTime : resetTime);
    } catch (error) {
      await super.releaseConnection(connection);
      throw error;
    }
    if (isLimited) this.#limited.add(connection);
    else this.#limited.delete(connection);
  }

  override async releaseConnection(connection: Connection): Promise<void> {
    const tenant = this.#tenants.get(connection);
    this.#tenants.delete(connection);
    await super.releaseConnection(connection);
    this.#queue.leave(tenant);
  }
}
