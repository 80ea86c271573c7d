import type { EntityManager } from "@mikro-orm/postgresql";
import { sql, type SqlBool } from "kysely";
import { LRUCache } from "lru-cache";
import { kysely } from "../database.ts";
import type { ListQuery, RecordsQuery } from "./list-query.ts";
import { readRows, readTotal, type FoundPage, type Wanted } from "./page-rows.ts";
import { matched, matchedFirst } from "./page-sources.ts";
import { filterOf, matchOf } from "./search.ts";

/** Words are common if more than this number of the newest records have them. */
const COMMON = 10;
const NEWEST = 200;
/** A search has many matches if it has more. It also limits the records that are read for a page of common words. */
const MANY = 10_000;

/** The totals of searches with many matches. Counting them takes some tenths of a second. */
const totals = new LRUCache<string, number>({ max: 1_000, ttl: 5_000 });

/** Reads a page of a search. The total of a search with many matches may be five seconds old. */
export async function readSearch<Row>(
  em: EntityManager,
  request: ListQuery<Row>,
  wanted: Wanted,
): Promise<FoundPage<Row>> {
  const { search = [], conditions = [] } = request;
  const isCommon = await findCommon(em, request);
  const common = search.filter((_, index) => isCommon[index]);
  const rare = search.filter((_, index) => !isCommon[index]);
  if (rare.length === 0) return readCommon(em, request, wanted);
  // The index would find all matches of the common parts.
  const filters = common.map((part) => filterOf([part]));
  const fromRare = { ...request, search: rare, conditions: [...conditions, ...filters] };
  return readRows(em, request, wanted, matched(em, fromRare));
}

/** Reads a page from the first records of the list, or if it reaches further, from all matches. */
async function readCommon<Row>(em: EntityManager, request: ListQuery<Row>, wanted: Wanted): Promise<FoundPage<Row>> {
  const { rows } = await readRows(em, request, wanted, matchedFirst(em, request, MANY));
  if (rows.length < wanted.limit) return readRows(em, request, wanted, matched(em, request));
  return { rows, total: request.selection.fields.has("total") ? await countMatches(em, request) : 0 };
}

async function countMatches(em: EntityManager, request: RecordsQuery): Promise<number> {
  const key = keyOf(em, request);
  const known = totals.get(key);
  if (known !== undefined) return known;
  const total = await readTotal(em, request, matched(em, request));
  if (total > MANY) totals.set(key, total);
  return total;
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
