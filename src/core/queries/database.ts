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
export interface BuiltQuery extends NamedQuery {
  names: string[];
}

/** A few dozen, by name. */
const builtQueries = new Map<string, BuiltQuery>();

/**
 * Runs a query under a name. It is built once, because building takes a fifth of the time of a read by id. So all that
 * differs between calls is in `values`.
 */
export async function prepared<Row, Values extends object>(
  database: Kysely<Database>,
  name: string,
  values: Values,
  build: (given: Given<Values>) => Compilable<Row>,
): Promise<Row[]> {
  return run(database, { ...builtOnce(builtQueries, name, values, build), name }, values);
}

/** Runs a query under a name, as `prepared` does, without waiting for it: see `NamedQuery.isPipelined`. */
export async function pipelined<Values extends object>(
  database: Kysely<Database>,
  name: string,
  values: Values,
  build: (given: Given<Values>) => Compilable<unknown>,
): Promise<void> {
  await run(database, { ...builtOnce(builtQueries, name, values, build), name, isPipelined: true }, values);
}

/**
 * Runs a query for selected fields. Each variant is built once for its selection. Only those of fixed documents have a
 * name.
 */
export async function readSelected<Row, Values extends object>(
  database: Kysely<Database>,
  { name, queries }: { name: string | undefined; queries: Map<string, BuiltQuery> },
  { variant, values }: { variant: string; values: Values },
  build: (given: Given<Values>) => Compilable<Row>,
): Promise<Row[]> {
  const built = builtOnce(queries, variant, values, build);
  return run(database, name === undefined ? built : { ...built, name: `${name} ${variant}` }, values);
}

async function run<Row, Values extends object>(
  database: Kysely<Database>,
  { names, ...built }: BuiltQuery,
  values: Values,
): Promise<Row[]> {
  const parameters = names.map((name) => values[name as keyof Values]);
  return (await database.executeQuery<Row>({ ...built, parameters })).rows;
}

function builtOnce<Values extends object>(
  queries: Map<string, BuiltQuery>,
  name: string,
  values: Values,
  build: (given: Given<Values>) => Compilable<unknown>,
): BuiltQuery {
  let built = queries.get(name);
  if (!built) queries.set(name, (built = buildQuery(name, values, build)));
  return built;
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
  const given = givenOf(values, (key) => new Placeholder(key));
  const compiled = build(given).compile();
  const names = compiled.parameters.map((parameter) => {
    if (parameter instanceof Placeholder) return parameter.name;
    throw new Error(`The query "${name}" has a parameter that is not among its values`);
  });
  const unused = Object.keys(values).filter((key) => !names.includes(key));
  if (unused.length > 0) throw new Error(`The query "${name}" does not use ${unused.join(", ")}`);
  return { ...compiled, names };
}

/** Each value as a parameter. */
export function givenOf<Values extends object>(
  values: Values,
  valueOf: (name: string, value: unknown) => unknown = (_, value) => value,
): Given<Values> {
  const given = Object.entries(values).map(([name, value]) => [name, sql.val(valueOf(name, value))]);
  return Object.fromEntries(given) as Given<Values>;
}
