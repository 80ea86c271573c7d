import { isDeepStrictEqual } from "node:util";
import type { EntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery, type Compilable, type Kysely } from "kysely";
import type { NamedQuery } from "../../platform/postgres/driver/connection.ts";
import type { Database } from "../model/tables.ts";

/** Kysely inside the entity manager's transaction, or on the pool if there is none. */
export function kysely(em: EntityManager): Kysely<Database> {
  return em.getKysely<Database>();
}

/** SQL text with the parameters `$1` and so on. An unnamed statement is planned for its values at each call. */
export interface Statement {
  name?: string;
  text: string;
}

/** Runs SQL text. Used only in files that end in `.sql.ts`. */
export async function query<Row>(
  database: Kysely<Database>,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const statement: NamedQuery = { ...CompiledQuery.raw(text, values), name };
  return (await database.executeQuery<Row>(statement)).rows;
}

/** The texts of queries that are built once, by name. There are a few dozen. */
const texts = new Map<string, string>();

/**
 * Runs a query under a name. An unnamed query is planned for its values. A named query with `values`, its parameters in
 * order, is built only once: building takes a fifth of the time of a read by id.
 */
export async function prepared<Row>(
  database: Kysely<Database>,
  name: string | undefined,
  build: () => Compilable<Row>,
  values?: readonly unknown[],
): Promise<Row[]> {
  const compiled =
    name !== undefined && values
      ? CompiledQuery.raw(texts.get(name) ?? buildText(name, build, values), [...values])
      : build().compile();
  const statement: NamedQuery = { ...compiled, name };
  return (await database.executeQuery<Row>(statement)).rows;
}

/** @throws Error when the values differ from the query's parameters */
function buildText(name: string, build: () => Compilable<unknown>, values: readonly unknown[]): string {
  const { sql, parameters } = build().compile();
  if (!isDeepStrictEqual(parameters, values))
    throw new Error(`The query "${name}" has other parameters than its values`);
  texts.set(name, sql);
  return sql;
}
