import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type Expression, type QueryCreator, type SqlBool } from "kysely";
import { SortOrder, type PageRequest } from "../../model/page.ts";
import type { Database, ListedTable } from "../../model/tables.ts";
import type { TextFilters } from "./check-page.ts";
import type { Select, Selector } from "../columns.ts";
import { invalidCursor, type Cursor } from "./cursor.ts";
import { kysely, prepared, type Given } from "../database.ts";
import type { Search } from "./search.ts";
import type { Selection } from "../selection.ts";

/** The records of a list, whatever is selected. */
export interface RecordsQuery extends PageRequest {
  shopId: string;
  table: ListedTable;
  conditions?: readonly Expression<SqlBool>[];
  search?: Search;
  /** Texts in the conditions, which are checked. */
  texts?: TextFilters;
  /** The sort column. It is never null, and rows with equal values are sorted by id. */
  sort?: string;
  /** SQL to sort by instead of a column. `sort` names it. */
  sortBy?: Expression<unknown>;
  /** "maintained" reads `record_counts`, at constant cost, if the conditions are on its columns. "counted" counts, as does a search. */
  total: "maintained" | "counted";
  /** Finds and counts the ids instead of the table. */
  source?: {
    ids: (window: Window) => Expression<unknown>;
    count: (conditions: readonly Expression<SqlBool>[]) => Expression<number>;
  };
  /** The selected fields of the page. Only these are read. */
  selection: Selection;
}

export interface ListQuery<Row> extends RecordsQuery {
  select: Selector<Row>;
}

/** The rows of a page in a list. */
export interface Window {
  conditions: readonly Expression<SqlBool>[];
  /** SQL: the expression after `order by`. */
  ordering: Expression<unknown>;
  limit: Expression<number>;
  offset: Expression<number>;
}

/** SQL that finds the ids of a page, and counts the records on all pages. */
export interface Source {
  /** A query that the others read as `found`. */
  found?: Expression<unknown>;
  ids: (window: Window) => Expression<unknown>;
  total?: Expression<number>;
}

/** Makes the source of a list's records, for a shop. */
export type SourceOf = (shopId: Expression<string>) => Source;

/** The rows to read: a number of them after the cursor, or from the page's first. */
export interface Wanted {
  cursor?: Cursor;
  limit: number;
}

/** A row, with the total and the sort value if selected. */
export type Found<Row> = Row & { total?: number; sortValue?: string };

export interface FoundPage<Row> {
  rows: Found<Row>[];
  /** 0 if the source has none. */
  total: number;
}

/** The values of a list, beside those in its conditions. */
interface ListValues extends Partial<Cursor> {
  shopId: string;
  limit: number;
  offset: number;
}

/** Reads the rows of a page, with the total. A statement with a name is prepared. */
export async function readRows<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  { cursor, limit }: Wanted,
  sourceOf: SourceOf,
  name?: string,
): Promise<FoundPage<Row>> {
  const offset = cursor ? 0 : offsetOf(request);
  const values: ListValues = { shopId: request.shopId, limit, offset, ...cursor };
  try {
    const build = (given: Given<ListValues>) => buildPage(em, request, sourceOf(given.shopId), given);
    const rows = await prepared(kysely(em), name, values, build);
    if (rows.length > 0) return { rows, total: rows[0]!.total ?? 0 };
    // Without a row, there is no total. An empty first page needs none.
    return { rows, total: cursor || offset > 0 ? await readTotal(em, request, sourceOf) : 0 };
  } catch (error) {
    // A forged cursor with a value of another type: SQLSTATE class 22, data exception.
    if (cursor && String((error as { code?: unknown }).code).startsWith("22")) throw invalidCursor();
    throw error;
  }
}

/** The number of records before the page. */
export function offsetOf({ page, limit }: PageRequest): number {
  return ((page ?? 1) - 1) * limit;
}

function buildPage<Row>(em: EntityManager, request: ListQuery<Row>, source: Source, given: Given<ListValues>) {
  const { table, selection, order = SortOrder.DESC } = request;
  const { shopId, limit, offset, value, id } = given;
  const sortBy = sortOf(request);
  const ordering = orderingOf(request, order);
  const operator = sql.raw(order === SortOrder.DESC ? "<" : ">");
  const conditions = value && id ? [sql<SqlBool>`(${sortBy}, id) ${operator} (${value}, ${id})`] : [];
  const fields = request.select(em, selection.at("items")) as Select<Record<string, unknown>>;
  const select: AliasedExpression<unknown, string>[] = [...fields];
  if (source.total) select.push(sql`(${source.total})`.as("total"));
  if (selection.fields.has("nextCursor")) select.push(sql`(${sortBy})::text`.as("sortValue"));
  return withFound(em, source)
    .selectFrom(table)
    .select(select)
    .where("shop_id", "=", shopId)
    .where("id", "=", sql<string>`any(array${source.ids({ conditions, ordering, limit, offset })})`)
    .orderBy(ordering)
    .$castTo<Found<Row>>();
}

/** The expression to sort by, before the id. */
export function sortOf({ sortBy, sort = "created_at" }: RecordsQuery): Expression<unknown> {
  return sortBy ?? sql.ref(sort);
}

/** SQL: the expression after `order by`. */
export function orderingOf(request: RecordsQuery, order: SortOrder): Expression<unknown> {
  const direction = sql.raw(order);
  return sql`${sortOf(request)} ${direction}, id ${direction}`;
}

/** Reads the total alone. 0 if the source has none. */
export async function readTotal(em: EntityManager, { shopId }: RecordsQuery, sourceOf: SourceOf): Promise<number> {
  const source = sourceOf(sql.val(shopId));
  if (!source.total) return 0;
  const row = await withFound(em, source)
    .selectNoFrom(sql<number>`(${source.total})`.as("total"))
    .executeTakeFirst();
  return row!.total;
}

function withFound(em: EntityManager, { found }: Source): QueryCreator<Database> {
  const database = kysely(em);
  if (!found) return database;
  return database.with("found", () => sql<Record<string, unknown>>`${found}`) as unknown as QueryCreator<Database>;
}
