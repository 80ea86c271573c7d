import { CompiledQuery, PostgresDialect, type DatabaseConnection } from "kysely";
import type pg from "pg";
import { Crowd } from "../../fairness/crowd.ts";
import { FairQueue } from "../../fairness/fair-queue.ts";
import type { Metrics } from "../../telemetry/metrics.ts";
import { currentVisit } from "../../fairness/visit.ts";
import { ReleasingDriver } from "./releasing-driver.ts";
import { watchPool } from "../watch-pool.ts";

/** The part of the pool's connections that one tenant may use at a time, as long as it is in nobody's way. */
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
  readonly #pool: pg.Pool;
  readonly #metrics: Metrics;

  constructor(pool: pg.Pool, metrics: Metrics) {
    super({ pool });
    this.#pool = pool;
    this.#metrics = metrics;
  }

  override createDriver(): FairDriver {
    return new FairDriver(this.#pool, this.#metrics);
  }
}

class FairDriver extends ReleasingDriver {
  readonly #queue: FairQueue;
  readonly #crowd = new Crowd();
  readonly #waits;
  readonly #tenants = new Map<DatabaseConnection, string | undefined>();
  readonly #limited = new WeakSet<DatabaseConnection>();

  constructor(pool: pg.Pool, metrics: Metrics) {
    super({ pool });
    const places = pool.options.max;
    const share = Math.max(1, Math.floor(places * SHARE));
    // Several backends of one tenant, each woken on the API's core, keep its thread from going on.
    const placesEach = (tenant: string) => (this.#crowd.isInTheWay(tenant) ? 1 : share);
    const queue = new FairQueue({ places, placesEach });
    this.#queue = queue;
    this.#waits = metrics.histogram("database_connection_wait_seconds", "Time that was waited for a connection.");
    watchPool(metrics, "main", pool, () => queue.waiting);
  }

  override async acquireConnection(...call: Parameters<ReleasingDriver["acquireConnection"]>): Promise<Connection> {
    const visit = currentVisit();
    const tenant = visit?.tenant;
    const askedAt = performance.now();
    // Before its work begins, a request may be a stranger's: a shop would not be alone with itself.
    if (visit?.tenant !== undefined && visit.places > 0) this.#crowd.note(visit.tenant);
    await this.#queue.enter(tenant);
    try {
      const connection = (await super.acquireConnection(...call)) as Connection;
      this.#waits.observe((performance.now() - askedAt) / 1_000);
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
