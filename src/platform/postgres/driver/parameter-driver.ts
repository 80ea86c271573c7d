import { PostgreSqlConnection, PostgreSqlDriver, RawQueryFragment, type Transaction } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";

/** More parameters belong to bulk inserts, whose text is seldom the same twice. */
const MAX_PARAMETERS = 100;

/**
 * MikroORM's connection, sending values as parameters instead of writing them into the text of statements. PostgreSQL
 * parses and plans less, which is a quarter of what creating a product costs, and its log shows no digest and no
 * password hash.
 */
class ParameterConnection extends PostgreSqlConnection {
  override async execute<Result>(...call: Parameters<PostgreSqlConnection["execute"]>): Promise<Result> {
    const [query, values = [], method = "all", context] = call;
    const statement = typeof query === "string" && Array.isArray(values) ? withParameters(query, values) : undefined;
    if (!statement) return super.execute(...call) as Promise<Result>;
    const executor = (context as Transaction<Kysely<unknown>> | undefined) ?? this.getClient();
    const result = await executor.executeQuery(statement);
    return this.transformRawResult<Result>(result, method);
  }
}

/** The statement with `$1` for each `?` that is not SQL; undefined without values, and where one cannot be a parameter. */
function withParameters(query: string, values: readonly unknown[]): CompiledQuery | undefined {
  if (values.length === 0 || values.length > MAX_PARAMETERS || query.includes("\\?")) return undefined;
  if (!values.every((value) => isPlain(value) || isSql(value))) return undefined;
  const parameters: unknown[] = [];
  let count = 0;
  const text = query.replace(/\?/g, () => {
    const value = values[count++];
    return isSql(value) ? value.sql : `$${parameters.push(value)}`;
  });
  return count === values.length ? CompiledQuery.raw(text, parameters) : undefined;
}

/** Tells whether the value is a piece of SQL without values of its own, such as `raw("attempts + 1")`. */
function isSql(value: unknown): value is RawQueryFragment {
  return value instanceof RawQueryFragment && value.params.length === 0;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object" || value instanceof Date || Buffer.isBuffer(value);
}

/** MikroORM's PostgreSQL driver on such connections. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}
