import { PostgreSqlConnection, PostgreSqlDriver, type Configuration, type Transaction } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";
import pg from "pg";

const MAX_NAMED_STATEMENTS = 500;
const statementNames = new Map<string, string>();

/**
 * The time for which PostgreSQL keeps the plans of named statements. In a table of a few rows all indexes cost the
 * same, so that it may find a row by one that gives it all rows of the shop, and would go on with that while the table
 * grows, until autovacuum takes notice, a minute later or more. Milliseconds.
 */
const PLANS_KEPT = 3_000;

/** The statements that Kysely sends around a transaction, except `commit`, whose failure must be known. */
const BRACKETS = /^(begin|start transaction.*|rollback)$/;

/**
 * Names each statement that has parameters, so that PostgreSQL parses it once for a connection, and plans it every
 * few seconds, instead of at every call. What LIKE costs depends on the pattern: such a statement is planned at every
 * call.
 */
export class PreparingClient extends pg.Client {
  #plannedAt = performance.now();

  // oxlint-disable-next-line typescript/no-explicit-any -- passes the many overloads of `query` through
  override query(text: any, values?: any, callback?: any): any {
    if (typeof text === "string" && BRACKETS.test(text) && callback === undefined) return this.#bracket(text);
    const name = typeof text === "string" && Array.isArray(values) ? nameOf(text, values) : undefined;
    if (name === undefined) return super.query(text, values, callback);
    const send = () => super.query({ name, text, values }, callback);
    return performance.now() - this.#plannedAt > PLANS_KEPT ? this.#forgetPlans().then(send) : send();
  }

  /** Where that fails, as in a transaction that has failed, it is done a while later. */
  async #forgetPlans(): Promise<void> {
    this.#plannedAt = performance.now();
    await super.query("discard plans").catch(() => undefined);
  }

  /**
   * Kysely does not give a connection back to the pool when the statement that begins or ends a transaction fails,
   * and the pool would then be one short for good. Such a statement fails because the connection is broken: so the
   * connection is ended, and the next statement tells. PostgreSQL rolls back what was begun on it.
   */
  async #bracket(text: string): Promise<pg.QueryResult> {
    try {
      return await super.query(text);
    } catch {
      void this.end().catch(() => undefined);
      return { command: "", rowCount: 0, oid: 0, fields: [], rows: [] };
    }
  }
}

function nameOf(text: string, values: unknown[]): string | undefined {
  const known = statementNames.get(text);
  if (known !== undefined || values.length === 0) return known;
  if (statementNames.size >= MAX_NAMED_STATEMENTS || / like /.test(text)) return undefined;
  const name = `merchant-api-${statementNames.size + 1}`;
  statementNames.set(text, name);
  return name;
}

/** More parameters belong to bulk inserts, whose text is seldom the same twice. */
const MAX_PARAMETERS = 100;

/**
 * MikroORM writes values into the text of its statements. They are sent as parameters instead: PostgreSQL parses and
 * plans less, which is a quarter of what creating a product costs, and its log shows no digest and no password hash.
 */
class PreparingConnection extends PostgreSqlConnection {
  override async execute<Result>(...call: Parameters<PostgreSqlConnection["execute"]>): Promise<Result> {
    const [query, values = [], method = "all", context] = call;
    const text = typeof query === "string" && Array.isArray(values) ? withParameters(query, values) : undefined;
    if (text === undefined) return super.execute(...call) as Promise<Result>;
    const executor = (context as Transaction<Kysely<unknown>> | undefined) ?? this.getClient();
    const result = await executor.executeQuery(CompiledQuery.raw(text, values as unknown[]));
    return this.transformRawResult<Result>(result, method);
  }
}

/** The statement with `$1` for each `?`; undefined without values, and where one cannot be a parameter. */
function withParameters(query: string, values: readonly unknown[]): string | undefined {
  if (values.length === 0 || values.length > MAX_PARAMETERS || !values.every(isPlain)) return undefined;
  let count = 0;
  const text = query.replace(/\?/g, () => `$${(count += 1)}`);
  return count === values.length && !query.includes("\\?") ? text : undefined;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object" || value instanceof Date || Buffer.isBuffer(value);
}

/** MikroORM's PostgreSQL driver on such connections. */
export class PreparingDriver extends PostgreSqlDriver {
  constructor(config: Configuration) {
    super(config);
    // The driver offers no other way to say which connection it makes; the one that it made is not open yet.
    Object.assign(this, { connection: new PreparingConnection(this.config) });
  }
}
