import { parseSync, type CommonTableExpr, type InsertStmt, type RangeVar } from "libpg-query";
import { coordinatorTables, referenceTables } from "../../../src/core/cluster/cluster.sql.ts";
import { shopColumnOf, type Catalog } from "./catalog.ts";

/** Functions with another result each time, by which the copies of a row could differ. */
const VARYING = new Set(["now", "clock_timestamp", "statement_timestamp", "random", "gen_random_uuid"]);

/** Returns true for a table whose rows are on the nodes of their shops. */
export function isDistributed(table: string): boolean {
  return !referenceTables.includes(table) && !coordinatorTables.includes(table);
}

/**
 * Finds the parts of a statement that Citus cannot send to the node of a shop alone, by its text. Statements that only
 * read and write tables of the coordinator have none.
 *
 * @throws SqlError when PostgreSQL cannot parse the statement
 */
export function findUnroutable(text: string, catalog: Catalog): string[] {
  const isOfNode = ({ relname, schemaname = "public" }: RangeVar) =>
    schemaname === "public" && shopColumnOf(relname!, catalog) !== undefined && isDistributed(relname!);
  const tree = parseSync(text);
  // WITH queries run one by one.
  const queries = [tree, ...find(tree, "ctequery")].map((query) => withoutKey(query, "withClause"));
  const inserts = (find(queries, "InsertStmt") as InsertStmt[]).filter(({ relation }) => isOfNode(relation!));
  // The schema exists on the coordinator only.
  const readsRows = queries.some(
    (query) => hasJobFunction(query) && (find(query, "RangeVar") as RangeVar[]).some(isOfNode),
  );
  const names = new Set((find(tree, "CommonTableExpr") as CommonTableExpr[]).map(({ ctename }) => ctename));
  const readsQuery = inserts.some(({ selectStmt }) =>
    (find(selectStmt, "RangeVar") as RangeVar[]).some(({ relname }) => names.has(relname)),
  );
  return [
    ...inserts.flatMap(partsOfInsert),
    // Citus sends the result of such a query to every node.
    ...(readsQuery ? ["an INSERT from a WITH query"] : []),
    ...(readsRows ? ["a function of graphile_worker"] : []),
  ];
}

function withoutKey(part: unknown, key: string): unknown {
  return JSON.parse(JSON.stringify(part, (name, value: unknown) => (name === key ? undefined : value)));
}

function hasJobFunction(query: unknown): boolean {
  return functionsIn(query).some(([schema]) => schema === "graphile_worker");
}

function partsOfInsert({ selectStmt, returningClause, onConflictClause }: InsertStmt): string[] {
  const values = selectStmt && "SelectStmt" in selectStmt ? selectStmt.SelectStmt.valuesLists : undefined;
  const hasQuery = (part: unknown) => find(part, "SubLink").length > 0;
  return [
    ...(hasQuery(values) ? ["a subquery in VALUES"] : []),
    ...(hasQuery(returningClause) ? ["a subquery in RETURNING"] : []),
    ...(varies(onConflictClause) ? ["a function that is not immutable in ON CONFLICT"] : []),
  ];
}

function varies(part: unknown): boolean {
  return find(part, "SQLValueFunction").length > 0 || functionsIn(part).some((names) => VARYING.has(names.at(-1)!));
}

/** The names of the functions in a part, each with its schema if it has one. */
function functionsIn(part: unknown): string[][] {
  const calls = find(part, "FuncCall") as { funcname: { String: { sval: string } }[] }[];
  return calls.map(({ funcname }) => funcname.map(({ String: { sval } }) => sval));
}

/** The nodes of this kind in a part of a statement. Fields of one kind, as of an INSERT's table, have no kind beside them. */
function find(part: unknown, kind: string): unknown[] {
  if (typeof part !== "object" || part === null) return [];
  return Object.entries(part).flatMap(([key, value]) => [...(key === kind ? [value] : []), ...find(value, kind)]);
}
