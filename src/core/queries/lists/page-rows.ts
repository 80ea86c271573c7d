import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type QueryCreator, type SqlBool } from "kysely";
import { SortOrder } from "../../model/page.ts";
import type { Database } from "../../model/tables.ts";
import type { Select } from "../columns.ts";
import { kysely, prepared, type Given } from "../database.ts";
import { invalidCursor, type Cursor } from "./cursor.ts";
import {
  offsetOf,
  orderingOf,
  sortOf,
  type ListQuery,
  type RecordsQuery,
  type Source,
  type SourceOf,
} from "./list-query.ts";

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
