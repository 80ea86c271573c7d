import { ReferenceKind, type EntityClass, type EntityManager } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type Expression, type InsertObject, type SqlBool } from "kysely";
import type { Database } from "../model/tables.ts";
import type { Selection } from "./selection.ts";

/** SQL for the fields of a record. */
export type Columns<Row> = { readonly [Name in keyof Row]?: Expression<Row[Name]> };

/**
 * SQL: the shop, in a subquery. It is the first parameter of each statement that reads a shop's records. Citus finds the
 * node of a subquery by a parameter, and not by a column of the query around it.
 */
export const shopParameter = sql<string>`$1`;

/** A record with the selected fields. */
export type Shown<Row, Always extends keyof Row> = Pick<Row, Always> & Partial<Omit<Row, Always>>;

/** A record from JSON, with times as text. */
export type InJson<Row> = {
  [Name in keyof Row]: Date extends Row[Name] ? string | Exclude<Row[Name], Date> : Row[Name];
};

/** The selections of a query that returns such rows. */
export type Select<Row> = readonly {
  [Name in keyof Row & string]-?: AliasedExpression<Row[Name], Name>;
}[keyof Row & string][];

/** Makes the part of a query that selects the requested fields of a record. */
export type Selector<Row> = (em: EntityManager, selection: Selection) => Select<Row>;

const known = new WeakMap<object, Columns<object>>();

/** The column of each property of an entity that holds a value. */
export function columnsOf<Entity extends object>(em: EntityManager, entity: EntityClass<Entity>): Columns<Entity> {
  const metadata = em.getMetadata(entity);
  let columns = known.get(metadata);
  if (!columns) {
    const values = metadata.props.filter(({ kind }) => kind === ReferenceKind.SCALAR);
    columns = Object.fromEntries(values.map(({ name, fieldNames }) => [name, sql.ref(fieldNames[0]!)]));
    known.set(metadata, columns);
  }
  return columns;
}

/** The columns of a new row. `Row` names the properties that hold its values: each needs one. */
export function valuesOf<Row, Table extends keyof Database>(
  em: EntityManager,
  entity: EntityClass<Row>,
  values: { readonly [Name in keyof Row]-?: Expression<Row[Name]> },
): InsertObject<Database, Table> {
  const columnOf = new Map(
    em.getMetadata(entity).props.map(({ name, fieldNames }) => [name as string, fieldNames[0]!]),
  );
  return Object.fromEntries(
    Object.entries<Expression<unknown>>(values).map(([name, value]) => [columnOf.get(name)!, value]),
  ) as InsertObject<Database, Table>;
}

/** Selects the requested fields, and always those in `always`. */
export function selectFields<Row, Always extends keyof Row & string>(
  columns: Columns<Row>,
  { fields }: { fields: ReadonlySet<string> },
  always: readonly Always[],
): Select<Shown<Row, Always>> {
  const wanted = new Set([...fields, ...always]);
  const selected = Object.entries<Expression<unknown>>(columns as Record<string, Expression<unknown>>)
    .filter(([field]) => wanted.has(field))
    .map(([field, column]) => sql`${column}`.as(field));
  return selected as Select<Shown<Row, Always>>;
}

type Filter<Table extends keyof Database> = {
  [Column in keyof Database[Table] & string]: readonly [
    column: Column,
    operator: "=" | "<" | ">=",
    value: Database[Table][Column] | Expression<Database[Table][Column]> | null | undefined,
  ];
}[keyof Database[Table] & string];

/** The conditions of the given filters. */
export function conditionsOf<Table extends keyof Database>(...filters: Filter<Table>[]): Expression<SqlBool>[] {
  return filters
    .filter(([, , value]) => value != null)
    .map(([column, operator, value]) => sql<SqlBool>`${sql.ref(column)} ${sql.raw(operator)} ${value}`);
}

/**
 * Compares with any of these values, for `=`. A single parameter, so a single prepared statement for any number of
 * values.
 */
export function anyOf<Value>(values: readonly Value[]): Expression<Value> {
  return sql<Value>`any(${values})`;
}
