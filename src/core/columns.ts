/** For each field of an object, the column that it is read from. */
export type Columns<Field extends string = string> = Readonly<Record<Field, string>>;

/** The select list of the fields that are asked for, and of those that are always needed. */
export function selectList(columns: Columns, fields: ReadonlySet<string>, always: readonly string[]): string {
  return Object.entries(columns)
    .filter(([field]) => fields.has(field) || always.includes(field))
    .map(([field, column]) => `${column} as "${field}"`)
    .join(", ");
}

/** What a row has to meet to be found. */
export interface Condition {
  /** SQL with one `?`, such as `status = ?`. */
  sql: string;
  value: unknown;
}
