import type { EntityManager } from "@mikro-orm/postgresql";
import { sql } from "kysely";
import { LRUCache } from "lru-cache";
import { kysely } from "./database.ts";
import { readRows, readTotal, type FoundPage, type ListQuery, type RecordsQuery, type Wanted } from "./page-rows.ts";
import { listed, matched, matchedFirst } from "./page-sources.ts";

/** The most matches of a search that are all found, sorted and counted for each page. */
const MANY = 10_000;

/** The totals of searches with more matches. Counting them takes a tenth of a second and more. */
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
    const few = matched(em, request, MANY + 1);
    const rows = await readRows(em, request, wanted, few);
    total = rows[0]?.total ?? (await readTotal(em, request, few));
    if (total <= MANY) return { rows, total };
    if (request.selection.fields.has("total")) {
      total = await readTotal(em, request, listed(em, request));
      totals.set(key, total);
    }
  }
  return { rows: await readFirst(em, request, wanted), total };
}

/** Reads a page of many matches: mostly from the first records of the list. */
async function readFirst<Row>(em: EntityManager, request: ListQuery<Row>, wanted: Wanted) {
  const rows = await readRows(em, request, wanted, matchedFirst(em, request, MANY));
  return rows.length === wanted.limit ? rows : readRows(em, request, wanted, matched(em, request));
}

function keyOf(em: EntityManager, { shopId, table, conditions = [], search }: RecordsQuery): string {
  const { sql: text, parameters } = sql.join([...conditions, search!]).compile(kysely(em));
  return JSON.stringify([shopId, table, text, parameters]);
}
