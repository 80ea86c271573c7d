import type { GraphQLResolveInfo } from "graphql";
import type { Kysely } from "kysely";
import { CUSTOM_PLAN } from "../../platform/postgres/driver/naming-client.ts";
import type { Condition } from "./columns.ts";
import { decodeCursor, encodeCursor, invalidCursor, type Cursor } from "./cursor.ts";
import { runStatement } from "./database.ts";
import type { Database } from "../model/tables.ts";
import { SortOrder, type Page, type PageRequest } from "../model/page.ts";
import { checkPage, type TextFilters } from "./check-page.ts";
import { requestedFields } from "./requested-fields.ts";

/** The conditions of those filters that are given: SQL with one `?`, and the value. */
export function conditionsOf(filters: readonly (readonly [sql: string, value: unknown])[]): Condition[] {
  return filters.filter(([, value]) => value != null).map(([sql, value]) => ({ sql, values: [value] }));
}

export interface ListQuery extends PageRequest {
  shopId: string;
  table: keyof Database;
  /** The select list. */
  columns: string;
  conditions?: Condition[];
  /** The texts in the conditions, to be checked. */
  texts?: TextFilters;
  /** A column that is never null, beside which rows are sorted by id. */
  sort?: string;
  /**
   * From `record_counts`, whose cost is flat, where that table is kept for the records and the conditions are
   * on its own columns; else counted.
   */
  total: "maintained" | "counted";
  /** Finds candidates in a table whose index does not begin with what the list is sorted by. */
  candidates?: CandidateQuery;
  /** The fields of the page that are asked for. No others are read. */
  fields: ReadonlySet<string>;
}

export interface CandidateQuery {
  /**
   * A statement that tells the id and the sort column of rows of the shop `$1` that match `search`, which ends in an
   * order and a limit. It may tell too many of them, in any order.
   */
  statement: (search: string) => string;
  /** The most that is counted, where counting what there is would take too long. */
  countAtMost: number;
}

/** The fields that are asked of a page and of its items. */
export interface PageFields {
  page: ReadonlySet<string>;
  item: ReadonlySet<string>;
}

export function requestedPageFields(info: GraphQLResolveInfo): PageFields {
  return { page: requestedFields(info), item: requestedFields(info, "items") };
}

/**
 * A page of a shop's records, with the number of all that match, in one statement. Its ids are found on an
 * index alone, so that a deep page does not fetch the rows that it skips.
 *
 * @throws AppError VALIDATION_FAILED when the page is out of bounds or the cursor is not one of this list
 */
export async function readPage<Row extends { id: string }>(
  database: Kysely<Database>,
  request: ListQuery,
): Promise<Page<Row>> {
  checkPage(request, request.texts);
  const { limit, fields, order = SortOrder.DESC, sort = "created_at" } = request;
  const sorting = `${request.table} ${sort} ${order}`;
  const cursor = request.after == null ? undefined : decodeCursor(sorting, request.after);
  const wantsCursor = fields.has("nextCursor");
  const found = await readRows<Row>(database, request, cursor, wantsCursor ? limit + 1 : limit);
  const items = found.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total: await totalOf(database, request, found[0]?.total),
    nextCursor:
      wantsCursor && last && found.length > limit
        ? encodeCursor(sorting, { value: last.sortValue, id: last.id })
        : null,
  };
}

type Found<Row> = Row & { total?: number; sortValue: string };

async function readRows<Row>(
  database: Kysely<Database>,
  request: ListQuery,
  cursor: Cursor | undefined,
  limit: number,
): Promise<Found<Row>[]> {
  const { shopId, table, columns, conditions = [], fields, order = SortOrder.DESC, sort = "created_at" } = request;
  const offset = cursor ? 0 : ((request.page ?? 1) - 1) * request.limit;
  const values = [shopId, limit, offset, ...valuesOf(conditions)];
  const more = [
    fields.has("total") && `(${totalStatement(request, 4)}) as total`,
    fields.has("nextCursor") && `${sort}::text as "sortValue"`,
  ].filter(Boolean);
  let where = whereClause(conditions, 4);
  if (cursor) {
    where += ` and (${sort}, id) ${order === SortOrder.DESC ? "<" : ">"} ($${values.length + 1}, $${values.length + 2})`;
    values.push(cursor.value, cursor.id);
  }
  try {
    return await runStatement<Found<Row>>(
      database,
      `${planOf(conditions)}select ${[columns, ...more].join(", ")} from ${table}
    where shop_id = $1 and id = any(array(${idsStatement(request, where)})) order by ${sort} ${order}, id ${order}`,
      values,
    );
  } catch (error) {
    // A made-up cursor whose value is not of the column's type: SQLSTATE class 22, data exception.
    if (cursor && String((error as { code?: unknown }).code).startsWith("22")) throw invalidCursor();
    throw error;
  }
}

/** SQL: the ids of a page. $2 is the limit, $3 the offset. */
function idsStatement(request: ListQuery, where: string): string {
  const { table, order = SortOrder.DESC, sort = "created_at", candidates } = request;
  const ordered = `order by ${sort} ${order}, id ${order}`;
  if (!candidates) return `select id from ${table} where shop_id = $1${where} ${ordered} limit $2 offset $3`;
  const found = candidates.statement(`true${where} ${ordered} limit $2::bigint + $3::bigint`);
  return `select id from (${found}) found ${ordered} limit $2 offset $3`;
}

/** The total from the page's first row, or, on an empty page, from a statement of its own; 0 where nobody asks. */
async function totalOf(database: Kysely<Database>, request: ListQuery, known: number | undefined): Promise<number> {
  if (known !== undefined || !request.fields.has("total")) return known ?? 0;
  const values = [request.shopId, ...valuesOf(request.conditions ?? [])];
  const [row] = await runStatement<{ total: number }>(
    database,
    `${planOf(request.conditions ?? [])}select (${totalStatement(request, 2)}) as total`,
    values,
  );
  return row!.total;
}

/** `first` is the number of the conditions' first parameter. */
function totalStatement(request: ListQuery, first: number): string {
  const { table, total, conditions = [], candidates, sort = "created_at" } = request;
  const where = whereClause(conditions, first);
  if (total === "maintained") {
    return `select coalesce(sum(count), 0)::float8 from record_counts where shop_id = $1 and resource = '${table}'${where}`;
  }
  if (!candidates) return `select count(*)::float8 from ${table} where shop_id = $1${where}`;
  // In order, and to a number that the planner does not know and takes to be small, so that it goes by the index as far as
  // that: otherwise it may read and sort all of a part, or the table for each part anew.
  const most = `limit (select ${candidates.countAtMost})`;
  const found = candidates.statement(`true${where} order by ${sort} ${most}`);
  return `select count(*)::float8 from (select from (${found}) found ${most}) counted`;
}

function whereClause(conditions: Condition[], first: number): string {
  let next = first;
  return conditions.map(({ sql }) => ` and ${sql.replaceAll("?", () => `$${next++}`)}`).join("");
}

function valuesOf(conditions: Condition[]): unknown[] {
  return conditions.flatMap(({ values }) => values);
}

function planOf(conditions: Condition[]): string {
  return conditions.some(({ needsCustomPlan }) => needsCustomPlan) ? CUSTOM_PLAN : "";
}
