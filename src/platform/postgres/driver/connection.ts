import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import pg from "pg";
import { tracedCall } from "../../telemetry/tracing.ts";

/**
 * A query that PostgreSQL prepares under a name: each connection parses it once and may cache its plan. An unnamed
 * query is planned for its values at each call.
 */
export interface NamedQuery extends CompiledQuery {
  /** At most 63 bytes, and unique for its text. */
  readonly name?: string;
}

const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** The first transaction of each client prepares it. */
const BEGIN = { name: "begin", text: "begin" };
const preparedClients = new WeakSet<pg.PoolClient>();

/** A pooled connection. */
export class Connection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  #isToBegin = false;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  /** Begins a transaction. From the second one of a client, it is sent with the next statement, to save a round trip. */
  async begin(): Promise<void> {
    if (preparedClients.has(this.client)) {
      this.#isToBegin = true;
      return;
    }
    await this.#send(BEGIN);
    preparedClients.add(this.client);
  }

  /** Returns true when the transaction had no statement, and so was not sent. */
  endUnsent(): boolean {
    const isUnsent = this.#isToBegin;
    this.#isToBegin = false;
    return isUnsent;
  }

  async executeQuery<Row>({ name, sql: text, parameters }: NamedQuery): Promise<QueryResult<Row>> {
    try {
      const query = { name, text, values: [...parameters] };
      const { command, rowCount, rows } = await traceStatement(text, query.values, () => this.#send(query));
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

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    if (!this.endUnsent()) return this.#submit(query);
    if (isPrepared(query)) return this.#submit(query, withBegin);
    await this.#submit(BEGIN);
    return this.#submit(query);
  }

  /**
   * The promise of pg outlives the use of its rows: they survive until a full garbage collection, which stops every
   * request for 10 to 40 ms instead of 1. With a callback, they are collected early.
   */
  #submit(config: pg.QueryConfig, change = (query: pg.Query) => query): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const query = new pg.Query(config, (error, result) => (error ? reject(error) : resolve(lastOf(result))));
    this.client.query(change(query));
    return promise;
  }
}

/** A text of several statements cannot be prepared. MikroORM sends some. */
function isPrepared({ name, values = [] }: pg.QueryConfig): boolean {
  return name !== undefined || values.length > 0;
}

/** The result of a query that was sent with the beginning of its transaction follows that of the beginning. */
function lastOf(results: pg.QueryResult | pg.QueryResult[]): pg.QueryResult {
  return Array.isArray(results) ? results.at(-1)! : results;
}

/**
 * Adds the beginning of a transaction to a query. PostgreSQL gets both before the end of the message (`Sync`), so it skips
 * the query if the transaction cannot begin.
 */
function withBegin(query: pg.Query): pg.Query {
  const { submit } = query;
  query.submit = (connection) => {
    connection.stream.cork();
    connection.bind({ statement: BEGIN.name }, true);
    connection.execute({}, true);
    submit.call(query, connection);
    connection.stream.uncork();
  };
  return query;
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
