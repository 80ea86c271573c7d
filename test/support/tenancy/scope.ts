import type { Node } from "libpg-query";
import { unknown, type Value } from "./values.ts";

export type Column = readonly [name: string, value: Value];

/** A named item of a FROM clause. */
export interface Relation {
  name: string;
  columns: readonly Column[];
}

/** Resolves the names in a query. */
export interface Scope {
  relations: Relation[];
  /** The columns of WITH queries. */
  queries: ReadonlyMap<string, readonly Column[]>;
  /** The scope of the enclosing query. */
  outer?: Scope;
}

export function columnOf({ columns }: Pick<Relation, "columns">, name: string): Value | undefined {
  return columns.find(([known]) => known === name)?.[1];
}

/** The columns with their aliases applied. */
export function rename(columns: readonly Column[], names: readonly Node[] = []): Column[] {
  return columns.map(([name, value], index) => [textOf(names[index]) ?? name, value]);
}

/** The text of a name. Undefined for anything else, such as a star. */
export function textOf(node: Node | undefined): string | undefined {
  return node && "String" in node ? node.String.sval : undefined;
}

/** The columns that `*` or `relation.*` stands for. */
export function starOf(fields: readonly Node[], { relations }: Scope): readonly Column[] {
  const name = textOf(fields.at(-2));
  return relations.filter((relation) => name === undefined || relation.name === name).flatMap(({ columns }) => columns);
}

/** The value of `column` or `relation.column`, searched from the inner scope outwards like PostgreSQL. */
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
