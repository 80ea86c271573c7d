import { hash } from "node:crypto";
import { PostgreSqlConnection, PostgreSqlDriver, type Platform, type Transaction } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";
import type { NamedQuery } from "./connection.ts";

/** More parameters belong to bulk inserts, whose text is seldom the same twice. */
const MAX_PARAMETERS = 100;

/**
 * MikroORM's connection, sending values as parameters instead of writing them into the text of statements: PostgreSQL's log
 * then shows no digest and no password hash. Inserts have names. Their text follows from the entity and the columns that the
 * code sets, and to parse and plan them is a quarter of what creating a product costs.
 */
class ParameterConnection extends PostgreSqlConnection {
  override async execute<Result>(...call: Parameters<PostgreSqlConnection["execute"]>): Promise<Result> {
    const [query, values = [], method = "all", context] = call;
    if (typeof query !== "string" || !Array.isArray(values) || values.length === 0 || values.length > MAX_PARAMETERS) {
      return super.execute(...call) as Promise<Result>;
    }
    const parameters: unknown[] = [];
    const text = withParameters(this.platform, parameters).formatQuery(query, values);
    const name = text.startsWith("insert ") ? hash("sha1", text) : undefined;
    const statement: NamedQuery = { ...CompiledQuery.raw(text, parameters), name };
    const executor = (context as Transaction<Kysely<unknown>> | undefined) ?? this.getClient();
    return this.transformRawResult<Result>(await executor.executeQuery(statement), method);
  }
}

/** The platform, which formats a statement: where it would write a value, it writes `$1` and so on, and adds a parameter. */
function withParameters(platform: Platform, parameters: unknown[]): Platform {
  const quoteValue = function quoteValue(this: Platform, value: unknown): string {
    return isPlain(value) ? `$${parameters.push(value)}` : platform.quoteValue.call(this, value);
  };
  return Object.create(platform, { quoteValue: { value: quoteValue } }) as Platform;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object" || value instanceof Date || Buffer.isBuffer(value);
}

/** MikroORM's PostgreSQL driver on such connections. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}
