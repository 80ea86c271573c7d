// Text, since Kysely has no types for any table and any expression to sort by.
import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type AliasedExpression, type Expression, type SelectQueryBuilder, type SqlBool } from "kysely";
import { MAX_LIMIT, SortOrder, type PageRequest } from "../model/page.ts";
import type { Database, ListedTable } from "../model/tables.ts";
import type { Select, Selector } from "./columns.ts";
import { givenOf, kysely, readSelected, type Given } from "./database.ts";
import { filterOfShop, matchOf, type Search } from "./search.ts";
import type { Selection } from "./selection.ts";

/** A list of a shop's records. */
export interface ListQuery<Row> extends PageRequest {
  shopId: string;
  table: ListedTable;
  /** Selects the columns of a record. */
  select: Selector<Row>;
  /** The selected fields of the page. Only these are read. */
  selection: Selection;
  conditions?: readonly Expression<SqlBool>[];
  search?: Search;
  /** Only records changed at or after this time. */
  updatedSince?: Date | null;
  /** Texts in the conditions, which are checked. */
  texts?: TextFilters;
  /** The sort column, `created_at` by default. It is never null, and rows with equal values are sorted by id. */
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
}

/** Text filters of a list, by argument. */
export type TextFilters = Record<string, string | null | undefined>;

/** The last row of a page: its sort value and its id. */
export interface Cursor {
  value: string;
  id: string;
}

/** The rows to read: a number of them after the cursor, or from the page's first. */
export interface Wanted {
  cursor?: Cursor;
  limit: number;
  /** Searches only this number of rows, and finds no total. */
  amongFirst?: number;
  /** The known total, which is not counted again. */
  total?: number;
}

/** The rows of a page in a list. */
export interface Window {
  conditions: readonly Expression<SqlBool>[];
  /** SQL: the expression after `order by`. */
  ordering: Expression<unknown>;
  limit: Expression<number>;
  offset: Expression<number>;
}

export interface FoundPage<Row> {
  /** With the total and the sort value if selected. */
  rows: (Row & { total?: number; sortValue?: string })[];
  /** 0 if not selected. */
  total: number;
}

/** The values of a list, beside those in its conditions. */
interface ListValues extends Partial<Cursor> {
  shopId: string;
  limit: number;
  /** Omitted for a page that skips no rows. */
  offset?: number;
}

/**
 * Reads the rows of a page and the total in one statement. If it skips rows, it finds the ids with an index alone, so
 * that a deep page does not fetch them.
 */
export async function findRows<Row>(em: EntityManager, query: ListQuery<Row>, wanted: Wanted): Promise<FoundPage<Row>> {
  const { page, limit, shopId } = query;
  const { cursor } = wanted;
  const offset = cursor ? 0 : ((page ?? 1) - 1) * limit;
  const values: ListValues = { shopId, limit: wanted.limit, ...(offset > 0 && { offset }), ...cursor };
  const build = (given: Given<ListValues>) => buildPage(em, query, wanted, given);
  // Conditions may contain values, so their query is built at each call.
  const hasConditions = (query.conditions ?? []).length > 0 || query.search || query.updatedSince || query.source;
  const rows = hasConditions
    ? await build(givenOf(values)).execute()
    : await readSelected(kysely(em), query.selection, { variant: variantOf(query, values), values }, build);
  if (rows.length > 0 || (!cursor && offset === 0)) return { rows, total: rows[0]?.total ?? 0 };
  // Without a row, there is no total. The first page has it.
  return { rows, total: (await findRows(em, { ...query, page: 1 }, { limit: 1 })).total };
}

function variantOf<Row>({ sort = "created_at", order = SortOrder.DESC }: ListQuery<Row>, values: ListValues): string {
  return [sort, order, ...("id" in values ? ["after"] : []), ...("offset" in values ? ["deep"] : [])].join(" ");
}

function buildPage<Row>(em: EntityManager, query: ListQuery<Row>, wanted: Wanted, given: Given<ListValues>) {
  const { table, selection, order = SortOrder.DESC } = query;
  const { shopId, limit, offset, value, id } = given;
  const sortBy = sortOf(query);
  const ordering = sql`${sortBy} ${sql.raw(order)}, id ${sql.raw(order)}`;
  const operator = sql.raw(order === SortOrder.DESC ? "<" : ">");
  const conditions = value && id ? [sql<SqlBool>`(${sortBy}, id) ${operator} (${value}, ${id})`] : [];
  const { found, ids, total } = sourceOf(em, query, wanted, shopId);

  const fields = query.select(em, selection.at("items")) as Select<Record<string, unknown>>;
  const select: AliasedExpression<unknown, string>[] = [...fields];
  if (total && wanted.total === undefined && selection.fields.has("total")) select.push(sql`(${total})`.as("total"));
  if (selection.fields.has("nextCursor")) select.push(sql`(${sortBy})::text`.as("sortValue"));
  const records = (found ? kysely(em).with("found", () => found) : kysely(em))
    .selectFrom(table as "products")
    .select(select as Select<Record<string, unknown>>)
    .where("shop_id", "=", shopId);
  const window = { conditions, ordering, limit, offset: (offset ?? sql.lit(0)) as Expression<number> };
  const page =
    offset || query.search || query.updatedSince || query.source
      ? records.where("id", "=", sql<string>`any(array${ids(window)})`).orderBy(ordering)
      : firstOf(
          em,
          pageOf(records, { ...window, ...MOST, conditions: [...(query.conditions ?? []), ...conditions] }),
          limit,
        );
  return page.$castTo<FoundPage<Row>["rows"][number]>();
}

/** SQL that finds the ids of a page, and counts the records on all pages. */
interface Source {
  ids: (window: Window) => Expression<unknown>;
  total?: Expression<number>;
  /** A query that the others read as `found`. */
  found?: Expression<{ id: string }>;
}

const countAll = sql<number>`count(*)::float8`;

function sourceOf<Row>(em: EntityManager, query: ListQuery<Row>, wanted: Wanted, shopId: Expression<string>): Source {
  const { table, search, source, sort = "created_at", conditions = [] } = query;
  const database = kysely(em);
  if (source) {
    return {
      ids: (window) => source.ids({ ...window, conditions: [...conditions, ...window.conditions] }),
      total: source.count(conditions),
    };
  }
  const ofShop = database.selectFrom(table).where("shop_id", "=", shopId);
  if (query.updatedSince) return changesOf(em, query, shopId);
  if (!search) {
    const records = ofShop.select("id").where(({ and }) => and([...conditions]));
    return { ids: (window) => pageOf(records, window), total: totalOf(em, query, shopId) };
  }
  const matches = sql.join<SqlBool>([...conditions, matchOf(search)], sql` and `);
  if (wanted.amongFirst !== undefined) {
    const first = { limit: sql.lit(wanted.amongFirst), offset: sql.lit(0) };
    return {
      ids: (window) => {
        const records = pageOf(ofShop.selectAll(), { ...window, ...first });
        const found = database.selectFrom(records.as("first")).select("id").where(matches);
        return pageOf(found, { ...window, conditions: [] });
      },
    };
  }
  // Found by the index of words, and then sorted.
  const found = database.selectFrom(sql<{ id: string }>`found`.as("found"));
  return {
    found: sql`${database
      .selectFrom(table)
      .select(["id", sql`${sortOf(query)}`.as(sort)])
      .where(filterOfShop(shopId))
      .where(matches)}`,
    ids: (window) => pageOf(found.select("id"), window),
    total: sql`${found.select(countAll.as("total"))}`,
  };
}

/** Changes up to this number are found by their time and then sorted. */
const FEW_CHANGES = 1_000;

/**
 * A few changes are found by the index of their times, and sorted. Among more, the list is read in its order. PostgreSQL
 * would choose by statistics of all shops, and read or sort a million records to find ten.
 */
function changesOf<Row>(em: EntityManager, query: ListQuery<Row>, shopId: Expression<string>): Source {
  const { table, updatedSince, conditions = [] } = query;
  const database = kysely(em);
  const ofShop = database.selectFrom(table as "products").where("shop_id", "=", shopId);
  const found = database
    .selectFrom(sql<Database["products"]>`found`.as("found"))
    .where(({ and }) => and([...conditions]));
  const isFew = sql<SqlBool>`(select count(*) from found) <= ${sql.lit(FEW_CHANGES)}`;
  // A sum, which no index has, so that the list is read in its order.
  const changed = sql<SqlBool>`updated_at + interval '0' >= ${updatedSince}`;
  const few = found.select("id").where(isFew);
  const many = ofShop
    .select("id")
    .where(sql<SqlBool>`not (${isFew})`)
    .where(changed);
  const first = ofShop.selectAll().where("updated_at", ">=", updatedSince!).orderBy("updated_at");
  const total = totalOf(em, { ...query, ...changesAsCondition(query) }, shopId);
  return {
    found: sql`${first.limit(sql.lit(FEW_CHANGES + 1))}`,
    ids: (window) =>
      sql`(${pageOf(few, window)} union all ${pageOf(many, { ...window, conditions: [...conditions, ...window.conditions] })})`,
    total: sql`case when ${isFew} then ${found.select(countAll.as("total"))} else ${total} end`,
  };
}

/** Makes the time of change an ordinary condition, for a list that is read in the order of changes, or for a search. */
export function changesAsCondition<Row>(query: ListQuery<Row>): Partial<ListQuery<Row>> {
  const changed = sql<SqlBool>`updated_at >= ${query.updatedSince}`;
  return { conditions: [...(query.conditions ?? []), changed], updatedSince: null, total: "counted" };
}

/** SQL: the number of records in a list. */
function totalOf<Row>(em: EntityManager, query: ListQuery<Row>, shopId: Expression<string>): Expression<number> {
  const { table, total, conditions = [] } = query;
  const isMaintained = total === "maintained";
  const [counted, count] = isMaintained
    ? (["record_counts", sql<number>`coalesce(sum(count), 0)::float8`] as const)
    : ([table, countAll] as const);
  return sql`${kysely(em)
    .selectFrom(counted)
    .select(count.as("total"))
    .where("shop_id", "=", shopId)
    .$if(isMaintained, (records) => records.where(sql<SqlBool>`resource = ${sql.lit(table)}`))
    .where(({ and }) => and([...conditions]))}`;
}

/** The expression to sort by, before the id. */
function sortOf<Row>({ sortBy, sort = "created_at" }: ListQuery<Row>): Expression<unknown> {
  return sortBy ?? sql.ref(sort);
}

function pageOf<Tables, Table extends keyof Tables, Row>(
  records: SelectQueryBuilder<Tables, Table, Row>,
  { conditions, ordering, limit, offset }: Window,
) {
  return records
    .where(({ and }) => and([...conditions]))
    .orderBy(ordering)
    .limit(limit)
    .offset(offset);
}

/** The rows of the longest page, and one that shows whether another follows. */
const MOST = { limit: sql.lit(MAX_LIMIT + 1) };

/**
 * The first rows of a page. PostgreSQL knows the limit of the page, but not how many rows are wanted, so that one plan
 * serves all. Otherwise it plans each list, in a third of its time for 50 products and half of it for 50 orders.
 */
function firstOf<Tables, Table extends keyof Tables, Row>(
  em: EntityManager,
  page: SelectQueryBuilder<Tables, Table, Row>,
  limit: Expression<number>,
) {
  return kysely(em)
    .selectFrom(page.as("page"))
    .selectAll()
    .limit(sql<number>`(select ${limit}::int)`);
}

/** Returns for each part of a search whether it matches more than `most` of the newest records. */
export async function findCommon<Row>(
  em: EntityManager,
  { shopId, table, search = [] }: ListQuery<Row>,
  { newest, most }: { newest: number; most: number },
): Promise<boolean[]> {
  const counts = search.map((part) => sql<SqlBool>`count(*) filter (where ${matchOf([part])}) > ${sql.lit(most)}`);
  const records = kysely(em)
    .selectFrom(table)
    .selectAll()
    .where("shop_id", "=", shopId)
    .orderBy(sql`created_at desc, id desc`)
    .limit(sql.lit(newest));
  const { isCommon } = await kysely(em)
    .selectFrom(records.as("newest"))
    .select(sql<boolean[]>`array[${sql.join(counts)}]`.as("isCommon"))
    .executeTakeFirstOrThrow();
  return isCommon;
}

/** A key for the total of a search, or of changes. */
export function totalKey<Row>(
  em: EntityManager,
  { shopId, table, conditions = [], search = [], updatedSince }: ListQuery<Row>,
): string {
  const { sql: text, parameters } = sql.join([matchOf(search), ...conditions]).compile(kysely(em));
  return JSON.stringify([shopId, table, text, parameters, updatedSince]);
}
