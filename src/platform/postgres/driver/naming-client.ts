import pg from "pg";
import { traceStatement } from "./trace-statement.ts";

/** Begins a statement whose best plan depends on its values: PostgreSQL then plans it at each call. */
export const CUSTOM_PLAN = "/* custom plan */ ";

const MAX_NAMES = 500;
const names = new Map<string, string>();

/** A connection that names the statements with parameters: PostgreSQL parses each once, and may keep its plan. */
export class NamingClient extends pg.Client {
  // oxlint-disable-next-line typescript/no-explicit-any -- passes the many overloads of `query` through
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text !== "string" || callback !== undefined) return super.query(text, values, callback);
    const name = Array.isArray(values) ? nameOf(text, values) : undefined;
    return traceStatement(text, values, () => this.#send({ name, text, values }));
  }

  /**
   * The promise that pg itself makes outlives its rows' use: they survive until V8 collects all of the heap, and moving
   * them stops every request for 10 to 40 ms instead of 1. With a callback they die young.
   */
  #send(query: { name: string | undefined; text: string; values: unknown[] }): Promise<pg.QueryResult> {
    const { promise, resolve, reject } = Promise.withResolvers<pg.QueryResult>();
    super.query(query, (error: Error | null, result: pg.QueryResult) => (error ? reject(error) : resolve(result)));
    return promise;
  }
}

function nameOf(text: string, values: unknown[]): string | undefined {
  const known = names.get(text);
  if (known !== undefined) return known;
  if (values.length === 0 || names.size >= MAX_NAMES || text.startsWith(CUSTOM_PLAN)) return undefined;
  const name = `merchant-api-${names.size + 1}`;
  names.set(text, name);
  return name;
}
