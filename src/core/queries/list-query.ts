import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type Expression, type Kysely, type SqlBool } from "kysely";
import { SortOrder, type Page, type PageRequest } from "../model/page.ts";
import type { Database } from "../model/tables.ts";
import { checkPage, type TextFilters } from "./check-page.ts";
import type { Select, Selector } from "./columns.ts";
import { decodeCursor, encodeCursor, invalidCursor, type Cursor } from "./cursor.ts";
import { kysely, prepared, type Given } from "./database.ts";
import type { Selection } from "./selection.ts";

/** A table or view with the records of a list. */
export type ListedTable = {
  [Table in keyof Database]: Database[Table] extends { shop_id: string; id: string; created_at: Date } ? Table : never;
}[keyof Database];

/** The records of a list, whatever is selected. */
interface RecordsQuery extends PageRequest {
  shopId: string;
  table: ListedTable;
  conditions?: readonly Expression<SqlBool>[];
  /** Texts in the conditions, which are checked. */
  texts?: TextFilters;
  /** The sort column. It is never null, and rows with equal values are sorted by id. */
  sort?: string;
  /** SQL to sort by instead of a column. `sort` names it. */
  sortBy?: Expression<unknown>;
  /** "maintained" reads `record_counts`, at constant cost, if the conditions are on its columns. "counted" counts. */
  total: "maintained" | "counted";
  /** Finds and counts the ids instead of the table. */
  source?: Source;
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

export interface Source {
  ids: (window: Window) => Expression<unknown>;
  count: (conditions: readonly Expression<SqlBool>[]) => Expression<number>;
}

/**
 * Reads a page of a shop's records, with the total, in one statement. It finds the ids with an index alone, so that a
 * deep page does not fetch the skipped rows.
 *
 * @throws AppError VALIDATION_FAILED when the page is out of bounds, or the cursor belongs to another list
 */
export async function readPage<Row extends { id: string }>(
  em: EntityManager,
  request: ListQuery<Row>,
): Promise<Page<Row>> {
  checkPage(request, request.texts);
  const { limit, selection, order = SortOrder.DESC, sort = "created_at" } = request;
  const sorting = `${request.table} ${sort} ${order}`;
  const cursor = request.after == null ? undefined : decodeCursor(sorting, request.after);
  const wantsCursor = selection.fields.has("nextCursor");
  const found = await readRows(em, request, cursor, wantsCursor ? limit + 1 : limit);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total: found[0]?.total ?? (await countAll(kysely(em), request)),
    nextCursor:
      wantsCursor && last && found.length > limit
        ? encodeCursor(sorting, { value: last.sortValue!, id: last.id })
        : null,
  };
}

/** A row, with the total and the sort value if selected. */
type Found<Row> = Row & { total?: number; sortValue?: string };

/** The values of a list, beside those in its conditions. */
interface ListValues extends Partial<Cursor> {
  shopId: string;
  limit: number;
  offset: number;
}

async function readRows<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  cursor: Cursor | undefined,
  limit: number,
): Promise<Found<Row>[]> {
  const { shopId, conditions = [], source, selection, order = SortOrder.DESC, sort = "created_at" } = request;
  // Of a fixed document, the text follows the filters alone.
  const isFixed = conditions.length === 0 && !source && selection.name !== undefined;
  const name = isFixed ? `${selection.name} ${sort} ${order}${cursor ? " after" : ""}` : undefined;
  const offset = cursor ? 0 : ((request.page ?? 1) - 1) * request.limit;
  const values: ListValues = { shopId, limit, offset, ...cursor };
  try {
    return await prepared(kysely(em), name, values, (given) => buildPage(em, request, given));
  } catch (error) {
    // A forged cursor with a value of another type: SQLSTATE class 22, data exception.
    if (cursor && String((error as { code?: unknown }).code).startsWith("22")) throw invalidCursor();
    throw error;
  }
}

function buildPage<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  { shopId, limit, offset, value, id }: Given<ListValues>,
) {
  const { table, conditions = [], selection, order = SortOrder.DESC, sort = "created_at" } = request;
  const database = kysely(em);
  const direction = sql.raw(order);
  const sortBy = request.sortBy ?? sql.ref(sort);
  const ordering = sql`${sortBy} ${direction}, id ${direction}`;
  const operator = sql.raw(order === SortOrder.DESC ? "<" : ">");
  const after = value && id ? [sql<SqlBool>`(${sortBy}, id) ${operator} (${value}, ${id})`] : [];
  const window = { conditions: [...conditions, ...after], ordering, limit, offset };
  const ids = request.source?.ids(window) ?? idsOf(database, table, shopId, window);
  const fields = request.select(em, selection.at("items")) as Select<Record<string, unknown>>;
  const select: AliasedExpression<unknown, string>[] = [...fields];
  if (selection.fields.has("total")) select.push(sql`(${totalOf(database, request, shopId)})`.as("total"));
  if (selection.fields.has("nextCursor")) select.push(sql`(${sortBy})::text`.as("sortValue"));
  return database
    .selectFrom(table)
    .select(select)
    .where("shop_id", "=", shopId)
    .where("id", "=", sql<string>`any(array${ids})`)
    .orderBy(ordering)
    .$castTo<Found<Row>>();
}

function idsOf(
  database: Kysely<Database>,
  table: ListedTable,
  shopId: Expression<string>,
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

/** Counts for an empty page, which has no row with the total. 0 if the total is not selected. */
async function countAll(database: Kysely<Database>, request: RecordsQuery): Promise<number> {
  if (!request.selection.fields.has("total")) return 0;
  const row = await database
    .selectNoFrom(sql<number>`(${totalOf(database, request, sql.val(request.shopId))})`.as("total"))
    .executeTakeFirst();
  return row!.total;
}

function totalOf(database: Kysely<Database>, request: RecordsQuery, shopId: Expression<string>): Expression<number> {
  const { table, total, conditions = [], source } = request;
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
