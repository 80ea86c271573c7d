import type { Node } from "libpg-query";
import { unknown, type Value } from "./values.ts";

export type Column = readonly [name: string, value: Value];

/** A named item of a FROM clause. */
export interface Relation {
  name: string;
  columns: readonly Column[];
}

/** The meaning of the names in a query. */
export interface Scope {
  relations: Relation[];
  /** The columns of the queries of WITH. */
  queries: ReadonlyMap<string, readonly Column[]>;
  /** That of the query around it. */
  outer?: Scope;
}

export function columnOf({ columns }: Pick<Relation, "columns">, name: string): Value | undefined {
  return columns.find(([known]) => known === name)?.[1];
}

/** The columns under other names, as far as there are some. */
export function rename(columns: readonly Column[], names: readonly Node[] = []): Column[] {
  return columns.map(([name, value], index) => [textOf(names[index]) ?? name, value]);
}

/** The text of a name, undefined of anything else, such as a star. */
export function textOf(node: Node | undefined): string | undefined {
  return node && "String" in node ? node.String.sval : undefined;
}

/** The columns that `*` or `relation.*` stands for. */
export function starOf(fields: readonly Node[], { relations }: Scope): readonly Column[] {
  const name = textOf(fields.at(-2));
  return relations.filter((relation) => name === undefined || relation.name === name).flatMap(({ columns }) => columns);
}

/** The value of `column` or `relation.column`: PostgreSQL looks for it from the inside out. */
export function resolve(fields: readonly Node[], scope: Scope | undefined): Value {
  if (!scope) return unknown;
  const name = textOf(fields.at(-1));
  const relationName = textOf(fields.at(-2));
  if (name === undefined) return unknown;
  if (relationName !== undefined) {
    const relation = scope.relations.find((known) => known.name === relationName);
    return relation ? (columnOf(relation, name) ?? unknown) : resolve(fields, scope.outer);
  }
  const values = scope.relations.flatMap((relation) => columnOf(relation, name) ?? []);
  return values[0] ?? resolve(fields, scope.outer);
}
