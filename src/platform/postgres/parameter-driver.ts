import { PostgreSqlConnection, PostgreSqlDriver, type Transaction } from "@mikro-orm/postgresql";
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
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}
