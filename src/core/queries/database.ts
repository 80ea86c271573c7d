import type { EntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery, type Compilable, type Kysely } from "kysely";
import type { NamedQuery } from "../../platform/postgres/driver/connection.ts";
import type { Database } from "../model/tables.ts";

/** Kysely inside the entity manager's transaction, or on the pool when it has none. */
export function kysely(em: EntityManager): Kysely<Database> {
  return em.getKysely<Database>();
}

/** A statement as SQL text, whose parameters are `$1` and so on. One without a name is planned for its values at each call. */
export interface Statement {
  name?: string;
  text: string;
}

/** Runs a statement that is SQL text. Only files that end in `.sql.ts` do. */
export async function query<Row>(
  database: Kysely<Database>,
  { name, text }: Statement,
  values: unknown[],
): Promise<Row[]> {
  const statement: NamedQuery = { ...CompiledQuery.raw(text, values), name };
  return (await database.executeQuery<Row>(statement)).rows;
}

/** Runs a query under a name, whose text is the same each time. Without the name it is planned for its values. */
export async function prepared<Row>(
  database: Kysely<Database>,
  name: string | undefined,
  built: Compilable<Row>,
): Promise<Row[]> {
  const statement: NamedQuery = { ...built.compile(), name };
  return (await database.executeQuery<Row>(statement)).rows;
}
