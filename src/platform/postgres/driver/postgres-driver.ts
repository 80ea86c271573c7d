import {
  PostgresDialect,
  PostgresDriver,
  type CompiledQuery,
  type DatabaseConnection,
  type TransactionSettings,
  type QueryResult,
} from "kysely";
import pg from "pg";
import { tracedCall } from "../../telemetry/tracing.ts";

/**
 * A query that PostgreSQL prepares under a name: each connection parses it once and may cache its plan. An unnamed
 * query is planned for its values at each call.
 */
export interface NamedQuery extends CompiledQuery {
  /** At most 63 bytes, and unique for its text. */
  readonly name?: string;
  /**
   * True to continue a transaction without waiting for the result, which saves a round trip. It returns no rows. If it
   * fails, the next statement fails with its error, or the commit.
   */
  readonly isPipelined?: boolean;
}

const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** A pooled connection. */
export class Connection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  #isInTransaction = false;
  /** The results that the next statement waits for. */
  #pipelined: Promise<unknown>[] = [];

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** Begins a transaction, which lasts until the connection is released. */
  begin(query: CompiledQuery): Promise<QueryResult<never>> {
    this.#isInTransaction = true;
    return this.executeQuery({ ...query, isPipelined: true });
  }

  /** Sets a savepoint. Waits if earlier errors could surface inside it, where a rollback to it would hide them. */
  setSavepoint(query: CompiledQuery): Promise<QueryResult<never>> {
    return this.executeQuery({ ...query, isPipelined: this.#pipelined.length === 0 });
  }

  release(): void {
    this.#isInTransaction = false;
    this.client.release();
  }

  /** Ignores errors of pipelined statements, because the transaction is rolled back. */
  ignorePipelined(): void {
    this.#pipelined = [];
  }

  async executeQuery<Row>({ name, sql: text, parameters, isPipelined }: NamedQuery): Promise<QueryResult<Row>> {
    try {
      const query = { name, text, values: [...parameters] };
      const result = traceStatement(text, query.values, () => this.#send(query));
      if (isPipelined && this.#isInTransaction) {
        // The next statement handles its error, in a later turn.
        result.catch(() => undefined);
        this.#pipelined.push(result);
        return { rows: [] };
      }
      const before = this.#pipelined;
      if (before.length > 0) this.#pipelined = [];
      const { command, rowCount, rows } =
        before.length > 0 ? (await Promise.all([result, ...before]))[0]! : await result;
      return { rows, numAffectedRows: writes.has(command) ? BigInt(rowCount!) : undefined };
    } catch (error) {
      // The driver created the error while reading the answer. The log needs the stack of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error("Rows are not streamed");
  }

  /**
   * The promise of pg outlives the use of its rows: they survive until a full garbage collection, which stops every
   * request for 10 to 40 ms instead of 1. With a callback, they are collected early.
   */
  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.client.query(query, (error, result) => (error ? reject(error) : resolve(result)));
    return promise;
  }
}

/**
 * Traces a statement. Its text is recorded only if it has parameters, because MikroORM writes some values into the
 * text, and they may be secrets.
 */
function traceStatement<Result>(text: string, values: unknown, send: () => Promise<Result>): Promise<Result> {
  return tracedCall(() => {
    const hasParameters = Array.isArray(values) && values.length > 0;
    const attributes = { "db.system.name": "postgresql", ...(hasParameters && { "db.query.text": text }) };
    return { name: nameOf(text), kind: "CLIENT", attributes };
  }, send);
}

/** The first operation and the first table: `select products`. */
function nameOf(text: string): string {
  // Some statements start with comments, or with the name of a common table expression.
  const start = text.replace(/\/\*.*?\*\//gs, "").replace(/^\s*with\s[^(]*\(/i, "");
  const [operation = "statement"] = /[a-z]+/i.exec(start) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]+)\b/i.exec(text) ?? [];
  return [operation.toLowerCase(), table].filter(Boolean).join(" ");
}

/** Receives the time waited for a connection, in seconds. */
interface Waits {
  observe: (duration: number) => void;
}

/**
 * Kysely's driver, which pipelines the beginning of a transaction and savepoints, and returns a connection to the pool
 * even if the rollback fails. Kysely would not, so the pool would lose it
 * (https://github.com/kysely-org/kysely/issues/1990). The pool closes broken connections.
 *
 * Kysely also does not return a connection that is opening when the driver is destroyed, so the pool would never end.
 */
class PoolDriver extends PostgresDriver {
  readonly #pool: pg.Pool;
  readonly #waits: Waits | undefined;
  readonly #acquiring = new Set<Promise<unknown>>();
  /** Reused, because Kysely remembers each one. */
  readonly #connections = new WeakMap<pg.PoolClient, Connection>();

  constructor(pool: pg.Pool, waits: Waits | undefined) {
    super({ pool });
    this.#pool = pool;
    this.#waits = waits;
  }

  override async acquireConnection(): Promise<Connection> {
    const askedAt = performance.now();
    const acquired = this.#pool.connect();
    this.#acquiring.add(acquired);
    try {
      const client = await acquired;
      this.#waits?.observe((performance.now() - askedAt) / 1_000);
      const connection = this.#connections.get(client) ?? new Connection(client);
      this.#connections.set(client, connection);
      return connection;
    } finally {
      this.#acquiring.delete(acquired);
    }
  }

  override async releaseConnection(connection: DatabaseConnection): Promise<void> {
    (connection as Connection).release();
  }

  override async destroy(): Promise<void> {
    await Promise.allSettled(this.#acquiring);
    await super.destroy();
  }

  override async beginTransaction(connection: DatabaseConnection, settings: TransactionSettings): Promise<void> {
    const executeQuery = (query: CompiledQuery) => (connection as Connection).begin(query);
    await super.beginTransaction({ ...connection, executeQuery }, settings);
  }

  override async savepoint(...[connection, name, compile]: Parameters<PostgresDriver["savepoint"]>): Promise<void> {
    const executeQuery = (query: CompiledQuery) => (connection as Connection).setSavepoint(query);
    await super.savepoint({ ...connection, executeQuery } as DatabaseConnection, name, compile);
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
  readonly #waits: Waits | undefined;

  constructor(pool: pg.Pool, waits?: Waits) {
    super({ pool });
    this.#pool = pool;
    this.#waits = waits;
  }

  override createDriver(): PoolDriver {
    return new PoolDriver(this.#pool, this.#waits);
  }
}

/** Parses timestamps as `Date` for both the unit of work and Kysely. */
export const types = new pg.TypeOverrides();
const TIMESTAMPTZ = 1184;
types.setTypeParser(
  TIMESTAMPTZ,
  (text: string) => new Date(text.replace(" ", "T") + (/[+-]\d\d$/.test(text) ? ":00" : "")),
);
