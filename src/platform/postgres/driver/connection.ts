import { CompiledQuery, type DatabaseConnection, type QueryResult } from "kysely";
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
   * True to send it with the next statement of its transaction, at the latest with `commit`, to save a round trip. It has a
   * name, its values are texts, times or null, and it returns no rows. If it fails, the next statement fails with its error.
   */
  readonly isDeferred?: boolean;
}

const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

const BEGIN: NamedQuery = { ...CompiledQuery.raw("begin"), name: "begin", isDeferred: true };
const COMMIT: NamedQuery = { ...CompiledQuery.raw("commit"), name: "commit" };

/** A pooled connection. */
export class Connection implements DatabaseConnection {
  readonly client: pg.PoolClient;
  #isInTransaction = false;
  /** The statements to send with the next one. */
  #deferred: pg.QueryConfig[] = [];

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async begin(): Promise<void> {
    this.#isInTransaction = true;
    await this.executeQuery(BEGIN);
  }

  async commit(): Promise<void> {
    const isEmpty = this.#deferred.length === 1 && this.#hasToBegin();
    if (isEmpty) this.#deferred = [];
    else await this.executeQuery(COMMIT);
  }

  /** Forgets deferred statements. Returns false when there is nothing to roll back. */
  forgetDeferred(): boolean {
    const hasBegun = !this.#hasToBegin();
    this.#deferred = [];
    return hasBegun;
  }

  #hasToBegin(): boolean {
    return this.#deferred[0]?.name === BEGIN.name;
  }

  async executeQuery<Row>({ name, sql: text, parameters, isDeferred }: NamedQuery): Promise<QueryResult<Row>> {
    try {
      const query = { name, text, values: [...parameters] };
      const send = isDeferred && this.#canDefer(query) ? this.#defer : this.#send;
      const { command, rowCount, rows } = await traceStatement(text, query.values, () => send.call(this, query));
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

  /** The first time, a client sends it at once, to prepare it. */
  #canDefer({ name }: pg.QueryConfig): boolean {
    const { connection } = this.client as unknown as { connection: { parsedStatements: Record<string, string> } };
    return this.#isInTransaction && name !== undefined && name in connection.parsedStatements;
  }

  async #defer(query: pg.QueryConfig): Promise<Pick<pg.QueryResult, "command" | "rowCount" | "rows">> {
    this.#deferred.push({ ...query, values: query.values?.map(textOf) });
    return { command: "", rowCount: 0, rows: [] };
  }

  async #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const before = this.#deferred;
    this.#deferred = [];
    if (before.length === 0 || isPrepared(query)) return this.#submit(query, before);
    await this.#submit(before.at(-1)!, before.slice(0, -1));
    return this.#submit(query, []);
  }

  /**
   * The promise of pg outlives the use of its rows: they survive until a full garbage collection, which stops every
   * request for 10 to 40 ms instead of 1. With a callback, they are collected early.
   */
  #submit(config: pg.QueryConfig, before: readonly pg.QueryConfig[]): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    const query = new pg.Query(config, (error, result) => (error ? reject(error) : resolve(lastOf(result))));
    this.client.query(before.length === 0 ? query : follow(before, query));
    return promise;
  }
}

/** A text of several statements cannot be prepared. MikroORM sends some. */
function isPrepared({ name, values = [] }: pg.QueryConfig): boolean {
  return name !== undefined || values.length > 0;
}

/** A query that follows deferred ones has a result for each. */
function lastOf(results: pg.QueryResult | pg.QueryResult[]): pg.QueryResult {
  return Array.isArray(results) ? results.at(-1)! : results;
}

/**
 * Sends prepared statements before a query. All are sent before the end of the message (`Sync`), so PostgreSQL skips those
 * after one that fails, `commit` too.
 */
function follow(before: readonly pg.QueryConfig[], query: pg.Query): pg.Query {
  const { submit } = query;
  query.submit = (connection) => {
    connection.stream.cork();
    for (const { name, values } of before) {
      connection.bind({ statement: name, values }, true);
      connection.execute({}, true);
    }
    submit.call(query, connection);
    connection.stream.uncork();
  };
  return query;
}

/** Text for PostgreSQL. @throws TypeError for other values */
function textOf(value: unknown): string | null {
  if (value == null || typeof value === "string") return value ?? null;
  if (value instanceof Date) return value.toISOString();
  throw new TypeError("The values of a deferred statement must be texts, times or null");
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
