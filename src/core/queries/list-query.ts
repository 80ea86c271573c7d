import { sql, type AliasedExpression, type Expression, type Kysely, type SqlBool } from "kysely";
import { SortOrder, type Page, type PageRequest } from "../model/page.ts";
import type { Database } from "../model/tables.ts";
import { checkPage, type TextFilters } from "./check-page.ts";
import type { Select } from "./columns.ts";
import { decodeCursor, encodeCursor, invalidCursor, type Cursor } from "./cursor.ts";
import { prepared } from "./database.ts";
import type { Selection } from "./selection.ts";

/** A table or view whose records are listed. */
export type ListedTable = {
  [Table in keyof Database]: Database[Table] extends { shop_id: string; id: string; created_at: Date } ? Table : never;
}[keyof Database];

/** What a list is of, whatever is selected. */
interface RecordsQuery extends PageRequest {
  shopId: string;
  table: ListedTable;
  conditions?: readonly Expression<SqlBool>[];
  /** The texts in the conditions, to be checked. */
  texts?: TextFilters;
  /** A column that is never null, beside which rows are sorted by id. */
  sort?: string;
  /** SQL to sort by in place of a column. `sort` names it. */
  sortBy?: Expression<unknown>;
  /**
   * From `record_counts`, whose cost is flat, where that table is kept for the records and the conditions are
   * on its own columns; else counted.
   */
  total: "maintained" | "counted";
  /** Finds the ids, and counts, in place of the table. */
  source?: Source;
  /** The fields of the page that are asked for. No others are read. */
  selection: Selection;
}

export interface ListQuery<Row> extends RecordsQuery {
  select: Select<Row>;
}

/** The rows of a list that a page shows. */
export interface Window {
  conditions: readonly Expression<SqlBool>[];
  /** SQL: what follows `order by`. */
  ordering: Expression<unknown>;
  limit: number;
  offset: number;
}

export interface Source {
  ids: (window: Window) => Expression<unknown>;
  count: (conditions: readonly Expression<SqlBool>[]) => Expression<number>;
}

/**
 * A page of a shop's records, with the number of all that match, in one statement. Its ids are found on an
 * index alone, so that a deep page does not fetch the rows that it skips.
 *
 * @throws AppError VALIDATION_FAILED when the page is out of bounds or the cursor is not one of this list
 */
export async function readPage<Row extends { id: string }>(
  database: Kysely<Database>,
  request: ListQuery<Row>,
): Promise<Page<Row>> {
  checkPage(request, request.texts);
  const { limit, selection, order = SortOrder.DESC, sort = "created_at" } = request;
  const sorting = `${request.table} ${sort} ${order}`;
  const cursor = request.after == null ? undefined : decodeCursor(sorting, request.after);
  const wantsCursor = selection.fields.has("nextCursor");
  const found = await readRows(database, request, cursor, wantsCursor ? limit + 1 : limit);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total: found[0]?.total ?? (await countAll(database, request)),
    nextCursor:
      wantsCursor && last && found.length > limit
        ? encodeCursor(sorting, { value: last.sortValue!, id: last.id })
        : null,
  };
}

/** A row, with the total and what it is sorted by where they are asked for. */
type Found<Row> = Row & { total?: number; sortValue?: string };

async function readRows<Row>(
  database: Kysely<Database>,
  request: ListQuery<Row>,
  cursor: Cursor | undefined,
  limit: number,
): Promise<Found<Row>[]> {
  const { shopId, table, conditions = [], selection, order = SortOrder.DESC, sort = "created_at" } = request;
  const sortBy = request.sortBy ?? sql.ref(sort);
  const direction = sql.raw(order);
  const ordering = sql`${sortBy} ${direction}, id ${direction}`;
  const after = cursor && afterCursor(cursor, sortBy, order);
  const window = {
    conditions: after ? [...conditions, after] : conditions,
    ordering,
    limit,
    offset: cursor ? 0 : ((request.page ?? 1) - 1) * request.limit,
  };
  const ids = request.source?.ids(window) ?? idsOf(database, request, window);
  const select: AliasedExpression<unknown, string>[] = [...(request.select as Select<Record<string, unknown>>)];
  if (selection.fields.has("total")) select.push(sql`(${totalOf(database, request)})`.as("total"));
  if (selection.fields.has("nextCursor")) select.push(sql`(${sortBy})::text`.as("sortValue"));
  const query = database
    .selectFrom(table)
    .select(select)
    .where("shop_id", "=", shopId)
    .where("id", "=", sql<string>`any(array${ids})`)
    .orderBy(ordering);
  // Of a fixed document, the text follows the filters alone.
  const isFixed = conditions.length === 0 && !request.source;
  const name = isFixed && selection.name ? `${selection.name} ${sort} ${order}${cursor ? " after" : ""}` : undefined;
  try {
    return await prepared(database, name, () => query.$castTo<Found<Row>>());
  } catch (error) {
    // A made-up cursor whose value is not of the column's type: SQLSTATE class 22, data exception.
    if (cursor && String((error as { code?: unknown }).code).startsWith("22")) throw invalidCursor();
    throw error;
  }
}

function afterCursor({ value, id }: Cursor, sortBy: Expression<unknown>, order: SortOrder): Expression<SqlBool> {
  const operator = sql.raw(order === SortOrder.DESC ? "<" : ">");
  return sql<SqlBool>`(${sortBy}, id) ${operator} (${value}, ${id})`;
}

function idsOf(
  database: Kysely<Database>,
  { shopId, table }: RecordsQuery,
  { conditions, ordering, limit, offset }: Window,
): Expression<unknown> {
  return database
    .selectFrom(table)
    .select("id")
    .where("shop_id", "=", shopId)
    .where((builder) => builder.and([...conditions]))
    .orderBy(ordering)
    .limit(limit)
    .offset(offset);
}

/** The total of an empty page, which no row holds; 0 where nobody asks. */
async function countAll(database: Kysely<Database>, request: RecordsQuery): Promise<number> {
  if (!request.selection.fields.has("total")) return 0;
  const row = await database.selectNoFrom(sql<number>`(${totalOf(database, request)})`.as("total")).executeTakeFirst();
  return row!.total;
}

function totalOf(database: Kysely<Database>, request: RecordsQuery): Expression<number> {
  const { shopId, table, total, conditions = [], source } = request;
  if (source) return source.count(conditions);
  const [counted, count] =
    total === "maintained"
      ? (["record_counts", sql<number>`coalesce(sum(count), 0)::float8`] as const)
      : ([table, sql<number>`count(*)::float8`] as const);
  return sql`${database
    .selectFrom(counted)
    .select(count.as("total"))
    .where("shop_id", "=", shopId)
    .$if(total === "maintained", (query) => query.where(sql<SqlBool>`resource = ${sql.lit(table)}`))
    .where((builder) => builder.and([...conditions]))}`;
}
