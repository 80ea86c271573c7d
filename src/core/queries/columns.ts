import { ReferenceKind, type EntityClass, type EntityManager } from "@mikro-orm/postgresql";

/** The column of each field of an object. */
export type Columns = Readonly<Record<string, string>>;

const known = new WeakMap<object, Columns>();

/** The column of each property of an entity that is a value. */
export function columnsOf(em: EntityManager, entity: EntityClass<object>): Columns {
  const metadata = em.getMetadata(entity);
  let columns = known.get(metadata);
  if (!columns) {
    const values = metadata.props.filter(({ kind }) => kind === ReferenceKind.SCALAR);
    columns = Object.fromEntries(values.map(({ name, fieldNames }) => [name, fieldNames[0]!]));
    known.set(metadata, columns);
  }
  return columns;
}

/** The select list of the fields that are asked for, and of those that are always needed. */
export function selectList(columns: Columns, fields: ReadonlySet<string>, always: readonly string[]): string {
  return Object.entries(columns)
    .filter(([field]) => fields.has(field) || always.includes(field))
    .map(([field, column]) => `${column} as "${field}"`)
    .join(", ");
}

/** A condition on rows. */
export interface Condition {
  /** SQL with a `?` for each value, such as `status = ?`. */
  sql: string;
  values: readonly unknown[];
  /** True where the best plan depends on the value. */
  needsCustomPlan?: boolean;
}
