import type { EntityManager } from "@mikro-orm/postgresql";
import { CompiledQuery, type Kysely } from "kysely";
import type { Database } from "../model/tables.ts";

/** Kysely inside the entity manager's transaction, or on the pool when it has none. */
export function kysely(em: EntityManager): Kysely<Database> {
  return em.getKysely<Database>();
}

/**
 * Runs a statement that is written by hand. The busiest ones are: building them anew costs as much as
 * sending them. Parameters are `$1` and so on.
 */
export async function runStatement<Row>(database: Kysely<Database>, text: string, values: unknown[]): Promise<Row[]> {
  const { rows } = await database.executeQuery<Row>(CompiledQuery.raw(text, values) as CompiledQuery<Row>);
  return rows;
}
