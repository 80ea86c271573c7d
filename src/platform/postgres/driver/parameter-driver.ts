import { hash } from "node:crypto";
import { PostgreSqlConnection, PostgreSqlDriver, type Platform, type Transaction } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";
import type { NamedQuery } from "./postgres-driver.ts";

/** Statements with more parameters are bulk inserts, which hardly ever repeat. */
const MAX_PARAMETERS = 100;

/**
 * MikroORM's connection, which sends values as parameters instead of writing them into statements, so that PostgreSQL's
 * log contains no digests or password hashes. Inserts are named: their text follows from the entity and the columns
 * that the code sets, and parsing and planning them is a quarter of the cost of creating a product.
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

/** A platform that formats statements with `$1` and so on instead of values, and collects the parameters. */
function withParameters(platform: Platform, parameters: unknown[]): Platform {
  const quoteValue = function quoteValue(this: Platform, value: unknown): string {
    return isPlain(value) ? `$${parameters.push(value)}` : platform.quoteValue.call(this, value);
  };
  return Object.create(platform, { quoteValue: { value: quoteValue } }) as Platform;
}

function isPlain(value: unknown): boolean {
  return value === null || typeof value !== "object" || value instanceof Date || Buffer.isBuffer(value);
}

/** MikroORM's PostgreSQL driver with these connections. */
export class ParameterDriver extends PostgreSqlDriver {
  protected override readonly connection = new ParameterConnection(this.config);
}
