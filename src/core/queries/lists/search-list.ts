import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";
import { kysely } from "../database.ts";
import type { ListQuery, RecordsQuery } from "./list-query.ts";
import { readRows, type FoundPage, type Wanted } from "./page-rows.ts";
import { matched, matchedFirst } from "./page-sources.ts";
import { filterOf, matchOf } from "./search.ts";

/** A part of a search is common if it matches more than this number of the newest records. */
const COMMON = 10;
const NEWEST = 200;
/** A search has many matches if it has more. While its total is cached, this number of the newest records is searched first. */
const MANY = 10_000;

/** The totals of searches with many matches. Finding them all takes some tenths of a second. */
const totals = new LRUCache<string, number>({ max: 1_000, ttl: 5_000 });

/** Reads a page of a search. The total of a search with many matches may be five seconds old. */
export async function readSearch<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  wanted: Wanted,
): Promise<FoundPage<Row>> {
  const key = keyOf(em, request);
  const total = totals.get(key);
  if (total !== undefined) {
    const { rows } = await readRows(em, request, wanted, matchedFirst(em, request, MANY));
    if (rows.length === wanted.limit) return { rows, total };
  }
  const found = await readRows(em, request, wanted, matched(em, await startFromRare(em, request)));
  if (found.total > MANY) totals.set(key, found.total);
  return found;
}

/** Leaves common words to a filter if others are rare, because the index would find all their matches. */
async function startFromRare(em: EntityManager, request: RecordsQuery): Promise<RecordsQuery> {
  const { search = [], conditions = [] } = request;
  if (search.length < 2) return request;
  const isCommon = await findCommon(em, request);
  const common = search.filter((_, index) => isCommon[index]);
  const rare = search.filter((_, index) => !isCommon[index]);
  if (rare.length === 0) return request;
  return { ...request, search: rare, conditions: [...conditions, ...common.map((part) => filterOf([part]))] };
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

function keyOf(em: EntityManager, { shopId, table, conditions = [], search = [] }: RecordsQuery): string {
  const { sql: text, parameters } = sql.join([matchOf(search), ...conditions]).compile(kysely(em));
  return JSON.stringify([shopId, table, text, parameters]);
}
