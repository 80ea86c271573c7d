import type { EntityManager } from "@mikro-orm/postgresql";
import { LRUCache } from "lru-cache";
import { invalidInput, type InputIssue } from "../model/errors.ts";
import { MAX_LIMIT, MAX_PAGE, SortOrder, type Page, type PageRequest } from "../model/page.ts";
import { checkText } from "../model/text.ts";
import { metadataCondition } from "./metadata.sql.ts";
import {
  changesAsCondition,
  findCommon,
  findRows,
  totalKey,
  type Cursor,
  type FoundPage,
  type ListQuery,
  type TextFilters,
  type Wanted,
} from "./list.sql.ts";
import { checkSearch, filterOf, MAX_SEARCH_LENGTH } from "./search.ts";

const MAX_TEXT_LENGTH = 255;
/** In milliseconds. */
const DAY = 86_400_000;

/**
 * Reads a page of a shop's records, with the total.
 *
 * @throws AppError VALIDATION_FAILED when the page is out of bounds, or the cursor belongs to another list
 */
export async function readPage<Row extends { id: string }>(
  em: EntityManager,
  given: ListQuery<Row>,
): Promise<Page<Row>> {
  checkPage(given, given.texts);
  const { shopId, table, metadata, conditions = [] } = given;
  const ofMetadata = metadata && [...conditions, metadataCondition(shopId, table, metadata)];
  const all: ListQuery<Row> = { ...given, ...(ofMetadata && { conditions: ofMetadata, total: "counted" }) };
  const isFoundOtherwise = all.search || all.sort === "updated_at";
  const query = all.updatedSince && isFoundOtherwise ? { ...all, ...changesAsCondition(all) } : all;
  const { limit, after, selection, order = SortOrder.DESC, sort = "created_at" } = query;
  const sorting = `${query.table} ${sort} ${order}`;
  const cursor = after == null ? undefined : decodeCursor(sorting, after);
  const wantsCursor = selection.fields.has("nextCursor");
  const read = query.search ? readSearch : all.updatedSince ? readChanges : findRows;
  const { rows, total } = await read(em, query, { cursor, limit: wantsCursor ? limit + 1 : limit }).catch((error) => {
    // A forged cursor with a value of another type: SQLSTATE class 22, data exception.
    throw cursor && String((error as { code?: unknown }).code).startsWith("22") ? invalidCursor() : error;
  });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const hasNext = wantsCursor && last && rows.length > limit;
  return { items, total, nextCursor: hasNext ? encodeCursor(sorting, { value: last.sortValue!, id: last.id }) : null };
}

/**
 * Lists everything that is wrong with the arguments of a list. Values are never clamped.
 *
 * @throws AppError VALIDATION_FAILED
 */
export function checkPage(
  { page, after, limit, updatedSince }: PageRequest & { updatedSince?: Date | null },
  texts: TextFilters = {},
): void {
  const issues = [...checkRange("page", page ?? 1, MAX_PAGE), ...checkRange("limit", limit, MAX_LIMIT)];
  // A mistake, such as another unit or time zone. Clocks differ by less.
  if (updatedSince && updatedSince.getTime() > Date.now() + DAY) {
    issues.push({ path: "updatedSince", code: "invalid_value", message: "Must be at most a day in the future" });
  }
  for (const [path, value] of Object.entries(texts)) {
    const max = path === "search" ? MAX_SEARCH_LENGTH : MAX_TEXT_LENGTH;
    if (value == null) continue;
    issues.push(...checkText(path, value, { max }));
    if (path === "search") issues.push(...checkSearch(path, value));
  }
  if (page != null && after != null) {
    issues.push({ path: "after", code: "invalid_value", message: "Cannot be combined with page" });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** Checks that a number is between 1 and `most`. */
export function checkRange(path: string, value: number, most: number): InputIssue[] {
  if (value < 1) return [{ path, code: "too_small", message: "Must be at least 1" }];
  if (value > most) return [{ path, code: "too_big", message: `Must be at most ${most}` }];
  return [];
}

/** Encodes an opaque cursor. It contains `sorting`, because it is meaningless in another order. */
function encodeCursor(sorting: string, { value, id }: Cursor): string {
  return Buffer.from(JSON.stringify([sorting, value, id])).toString("base64url");
}

/** @throws AppError VALIDATION_FAILED when it is not a cursor of this sorting */
function decodeCursor(sorting: string, text: string): Cursor {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(text, "base64url").toString());
  } catch {
    throw invalidCursor();
  }
  const isWhole = Array.isArray(parts) && parts.length === 3 && parts.every((part) => typeof part === "string");
  if (!isWhole || (parts as string[])[0] !== sorting) throw invalidCursor();
  const [, value, id] = parts as [string, string, string];
  return { value, id };
}

function invalidCursor(): Error {
  const message = "Must be the nextCursor of a page with the same sort and order";
  return invalidInput([{ path: "after", code: "invalid_value", message }]);
}

/** A search has many matches if it has more. While its total is cached, this number of the newest records is searched first. */
const MANY = 10_000;

/** A part of a search is common if it matches more than `most` of the newest records. */
const SAMPLE = { newest: 200, most: 10 };

/** The totals of searches and changes with many matches. Finding them all takes some tenths of a second. */
const totals = new LRUCache<string, number>({ max: 1_000, ttl: 5_000 });

/** Reads a page of a search. The total of a search with many matches may be five seconds old. */
async function readSearch<Row>(em: EntityManager, query: ListQuery<Row>, wanted: Wanted): Promise<FoundPage<Row>> {
  const key = totalKey(em, query);
  const total = totals.get(key);
  if (total !== undefined) {
    const { rows } = await findRows(em, query, { ...wanted, amongFirst: MANY });
    if (rows.length === wanted.limit) return { rows, total };
  }
  const found = await findRows(em, await startFromRare(em, query), wanted);
  if (found.total > MANY) totals.set(key, found.total);
  return found;
}

/** Reads a page of changes. Their total may be five seconds old if there are many. */
async function readChanges<Row>(em: EntityManager, query: ListQuery<Row>, wanted: Wanted): Promise<FoundPage<Row>> {
  const key = totalKey(em, query);
  const total = totals.get(key);
  const found = await findRows(em, query, { ...wanted, total });
  if (total === undefined && found.total > MANY) totals.set(key, found.total);
  return { rows: found.rows, total: total ?? found.total };
}

/** Leaves common words to a filter if others are rare, because the index would find all their matches. */
async function startFromRare<Row>(em: EntityManager, query: ListQuery<Row>): Promise<ListQuery<Row>> {
  const { search = [], conditions = [] } = query;
  if (search.length < 2) return query;
  const isCommon = await findCommon(em, query, SAMPLE);
  const common = search.filter((_, index) => isCommon[index]);
  const rare = search.filter((_, index) => !isCommon[index]);
  if (rare.length === 0) return query;
  return { ...query, search: rare, conditions: [...conditions, ...common.map((part) => filterOf([part]))] };
}
