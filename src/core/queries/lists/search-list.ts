import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";
import { kysely } from "../database.ts";
import { readRows, readTotal, type FoundPage, type ListQuery, type RecordsQuery, type Wanted } from "./page-rows.ts";
import { listed, matched, matchedFirst } from "./page-sources.ts";
import { filterOf, matchOf } from "./search.ts";

/** The most matches of a search that are all found, sorted and counted for each page. */
const MANY = 10_000;
/** A part of a search is common if it matches more than this number of the newest records. */
const COMMON = 10;
const NEWEST = 200;

/** The totals of searches with many matches. Counting them takes some tenths of a second. */
const totals = new LRUCache<string, number>({ max: 1_000, ttl: 5_000 });

/** Reads a page of a search. The total of a search with many matches may be five seconds old. */
export async function readSearch<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  wanted: Wanted,
): Promise<FoundPage<Row>> {
  const key = keyOf(em, request);
  let total = totals.get(key);
  if (total === undefined) {
    const few = await readRows(em, request, wanted, matched(em, await startFromRare(em, request), MANY + 1));
    if (few.total <= MANY) return few;
    total = await readTotal(em, request, listed(em, request));
    // 0 if it is not selected.
    if (total > MANY) totals.set(key, total);
  }
  return { rows: await readFirst(em, request, wanted), total };
}

/** Leaves common words to a filter if others are rare, because the index would find all their matches. */
async function startFromRare(em: EntityManager, request: RecordsQuery): Promise<RecordsQuery> {
  const { search = [], conditions = [] } = request;
  if (search.length < 2) return request;
  const isCommon = await findCommon(em, request);
  const common = search.filter((_, index) => isCommon[index]);
  const rare = search.filter((_, index) => !isCommon[index]);
  if (common.length === 0 || rare.length === 0) return request;
  return { ...request, search: rare, conditions: [...conditions, filterOf(common)] };
}

/** Returns for each part of the search whether it is common among the newest records. */
async function findCommon(em: EntityManager, { shopId, table, search = [] }: RecordsQuery): Promise<boolean[]> {
  const counts = search.map((part) => sql<SqlBool>`count(*) filter (where ${matchOf([part])}) > ${sql.lit(COMMON)}`);
  const newest = kysely(em)
    .selectFrom(table)
    .selectAll()
    .where("shop_id", "=", shopId)
    .orderBy(sql`created_at desc, id desc`)
    .limit(sql.lit(NEWEST));
  const { isCommon } = await kysely(em)
    .selectFrom(newest.as("newest"))
    .select(sql<boolean[]>`array[${sql.join(counts)}]`.as("isCommon"))
    .executeTakeFirstOrThrow();
  return isCommon;
}

/** Reads a page of many matches, mostly from the first records of the list. */
async function readFirst<Row>(em: EntityManager, request: ListQuery<Row>, wanted: Wanted) {
  const { rows } = await readRows(em, request, wanted, matchedFirst(em, request, MANY));
  return rows.length === wanted.limit ? rows : (await readRows(em, request, wanted, matched(em, request))).rows;
}

function keyOf(em: EntityManager, { shopId, table, conditions = [], search = [] }: RecordsQuery): string {
  const { sql: text, parameters } = sql.join([matchOf(search), ...conditions]).compile(kysely(em));
  return JSON.stringify([shopId, table, text, parameters]);
}
