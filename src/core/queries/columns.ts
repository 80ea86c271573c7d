import { ReferenceKind, type EntityClass, type EntityManager, type EntityProperty } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type Expression, type InsertObject, type RawBuilder, type SqlBool } from "kysely";
import type { Database, ListedTable } from "../model/tables.ts";
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

/** A record that may come from JSON, where times are text. */
export type InJson<Row> = { [Name in keyof Row]: Date extends Row[Name] ? string | Row[Name] : Row[Name] };

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

/** The rows of another table that a subquery reads. */
interface Related<Row, Always extends keyof Row & string> {
  /** SQL: their relation to the row of the query around it. */
  on: string;
  /** SQL: their order, and a limit. */
  order?: string;
  /** All fields by default. */
  selection?: { fields: ReadonlySet<string> };
  always?: readonly Always[];
  /** SQL for fields without a column. */
  others?: Record<string, Expression<unknown>>;
}

/** SQL: rows of the same shop as a JSON array, because a second statement would double the cost of a record. */
export function jsonRows<Row extends object, Always extends keyof Row & string = never>(
  em: EntityManager,
  entity: EntityClass<Row>,
  related: Related<Row, Always>,
): RawBuilder<InJson<Shown<Row, Always>>[]> {
  return sql`(select coalesce(json_agg(related), '[]') from (${rowsOf(em, entity, related)}) related)`;
}

/** SQL: a row of the same shop as JSON. Null if there is none. */
export function jsonRow<Row extends object, Always extends keyof Row & string = never>(
  em: EntityManager,
  entity: EntityClass<Row>,
  related: Related<Row, Always>,
): RawBuilder<InJson<Shown<Row, Always>> | null> {
  return sql`(select to_json(related) from (${rowsOf(em, entity, related)}) related)`;
}

function rowsOf<Row extends object, Always extends keyof Row & string>(
  em: EntityManager,
  entity: EntityClass<Row>,
  { on, order, selection, always = [], others }: Related<Row, Always>,
) {
  const { tableName, properties } = em.getMetadata(entity);
  const columns = new Map<string, Expression<unknown>>(Object.entries({ ...columnsOf(em, entity), ...others }));
  const fields = new Set<string>([...(selection?.fields ?? columns.keys()), ...always]);
  const values = [...columns].flatMap(([name, column]) => {
    const type = (properties as Record<string, EntityProperty>)[name]?.columnTypes?.[0] ?? "";
    return fields.has(name) ? inJson(column, type).as(name) : [];
  });
  return sql`select ${sql.join(values.length > 0 ? values : [sql`null`.as("none")])} from ${sql.table(tableName)}
    where shop_id = ${shopParameter} and ${sql.raw(on)} ${sql.raw(order ? `order by ${order}` : "")}`;
}

/** SQL: a value as JSON holds it: amounts as text, because numbers would become binary fractions, and times as answered. */
function inJson(column: Expression<unknown>, type: string): RawBuilder<unknown> {
  if (type.startsWith("numeric")) return sql`${column}::text`;
  if (!type.startsWith("timestamptz")) return sql`${column}`;
  return sql`to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** SQL: a value of the record of the same shop with this id. Null if there is none. */
export function relatedValue<Value>(
  table: ListedTable,
  column: string,
  id: string,
  shopId: Expression<string> = shopParameter,
): RawBuilder<Value> {
  return sql`(select ${sql.ref(column)} from ${sql.table(table)} where shop_id = ${shopId} and id = ${sql.ref(id)})`;
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
