import type { EntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery, sql, type Compilable, type Expression, type Kysely } from "kysely";
import type { NamedQuery } from "../../platform/postgres/driver/postgres-driver.ts";
import type { Database } from "../model/tables.ts";

/** Kysely inside the entity manager's transaction, or on the pool if there is none. */
export function kysely(em: EntityManager): Kysely<Database> {
  return em.getKysely<Database>();
}

/** SQL text with the parameters `$1` and so on. An unnamed statement is planned for its values at each call. */
export interface Statement extends Pick<NamedQuery, "name" | "isPipelined"> {
  text: string;
}

/** Runs SQL text. Used only in files that end in `.sql.ts`. */
export async function query<Row>(
  database: Kysely<Database>,
  { text, ...options }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const statement: NamedQuery = { ...CompiledQuery.raw(text, values), ...options };
  return (await database.executeQuery<Row>(statement)).rows;
}

/** The values of a query, as expressions. */
export type Given<Values> = { readonly [Name in keyof Values]: Expression<Values[Name]> };

/** A query that is built once, and the names of its parameters in their order. */
interface BuiltQuery {
  text: string;
  parameters: string[];
}

/** A few dozen, by name. */
const builtQueries = new Map<string, BuiltQuery>();

/**
 * Runs a query under a name. It is built once, because building takes a fifth of the time of a read by id. So all that
 * differs between calls is in `values`. Without a name, the query is built, and planned for its values, at each call.
 */
export async function prepared<Row, Values extends object>(
  database: Kysely<Database>,
  name: string | undefined,
  values: Values,
  build: (given: Given<Values>) => Compilable<Row>,
): Promise<Row[]> {
  if (name === undefined) {
    const given = mapValues(values, (_, value) => sql.val(value));
    return (await database.executeQuery<Row>(build(given).compile())).rows;
  }
  return run(database, { name }, values, build);
}

/** Runs a query under a name, as `prepared` does, without waiting for it: see `NamedQuery.isPipelined`. */
export async function pipelined<Values extends object>(
  database: Kysely<Database>,
  name: string,
  values: Values,
  build: (given: Given<Values>) => Compilable<unknown>,
): Promise<void> {
  await run(database, { name, isPipelined: true }, values, build);
}

async function run<Row, Values extends object>(
  database: Kysely<Database>,
  options: { name: string; isPipelined?: boolean },
  values: Values,
  build: (given: Given<Values>) => Compilable<Row>,
): Promise<Row[]> {
  const { name } = options;
  let built = builtQueries.get(name);
  if (!built) {
    built = buildQuery(name, values, build);
    builtQueries.set(name, built);
  }
  const { text, parameters } = built;
  return query(
    database,
    { ...options, text },
    parameters.map((parameter) => values[parameter as keyof Values]),
  );
}

/** Stands for a value while a query is built. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** @throws Error when the query has a value that is not among `values`, which every call would use, or leaves one out */
function buildQuery<Values extends object>(
  name: string,
  values: Values,
  build: (given: Given<Values>) => Compilable<unknown>,
): BuiltQuery {
  const given = mapValues(values, (key) => sql.val(new Placeholder(key)));
  const { sql: text, parameters } = build(given).compile();
  const names = parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name;
    throw new Error(`The query "${name}" has a parameter that is not among its values`);
  });
  const unused = Object.keys(values).filter((key) => !names.includes(key));
  if (unused.length > 0) throw new Error(`The query "${name}" does not use ${unused.join(", ")}`);
  return { text, parameters: names };
}

function mapValues<Values extends object>(values: Values, map: (name: string, value: unknown) => unknown) {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, map(name, value)])) as Given<Values>;
}
