import type { CompiledQuery, DatabaseConnection, QueryResult } from "kysely";
import type pg from "pg";
import { tracedCall } from "../../telemetry/tracing.ts";

/**
 * A query that PostgreSQL prepares under a name: it parses the text once for each connection, and may keep its plan. A query
 * without a name is planned for its values at each call.
 */
export interface NamedQuery extends CompiledQuery {
  /** At most 63 bytes. A name stands for one text. */
  readonly name?: string;
}

const writes = new Set(["INSERT", "UPDATE", "DELETE", "MERGE"]);

/** A connection of the pool. */
export class Connection implements DatabaseConnection {
  readonly client: pg.PoolClient;

  constructor(client: pg.PoolClient) {
    this.client = client;
  }

  async executeQuery<Row>({ name, sql: text, parameters }: NamedQuery): Promise<QueryResult<Row>> {
    try {
      const query = { name, text, values: [...parameters] };
      const { command, rowCount, rows } = await traceStatement(text, query.values, () => this.#send(query));
      return { rows, numAffectedRows: writes.has(command) ? BigInt(rowCount!) : undefined };
    } catch (error) {
      // The error was made where the answer was read. The log needs the stack of the caller.
      if (error instanceof Error) Error.captureStackTrace(error);
      throw error;
    }
  }

  streamQuery(): never {
    throw new Error("Rows are not streamed");
  }

  /**
   * The promise that pg itself makes outlives its rows' use: they survive until V8 collects all of the heap, and moving
   * them stops every request for 10 to 40 ms instead of 1. With a callback they die young.
   */
  #send(query: pg.QueryConfig): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    this.client.query(query, (error, result) => (error ? reject(error) : resolve(result)));
    return promise;
  }
}

/**
 * Traces a statement that is sent. Its text is shown only when its values are not in it: MikroORM writes some into the
 * text, and they may be secrets.
 */
function traceStatement<Result>(text: string, values: unknown, send: () => Promise<Result>): Promise<Result> {
  return tracedCall(() => {
    const hasParameters = Array.isArray(values) && values.length > 0;
    const attributes = { "db.system.name": "postgresql", ...(hasParameters && { "db.query.text": text }) };
    return { name: nameOf(text), kind: "CLIENT", attributes };
  }, send);
}

/** The first word, and the first table: `select products`. */
function nameOf(text: string): string {
  // Comments come first in some.
  const [operation = "statement"] = /[a-z]+/i.exec(text.replace(/\/\*.*?\*\//gs, "")) ?? [];
  const [, table] = /\b(?:from|into|update)\s+"?([a-z_]+)\b/i.exec(text) ?? [];
  return [operation.toLowerCase(), table].filter(Boolean).join(" ");
}
