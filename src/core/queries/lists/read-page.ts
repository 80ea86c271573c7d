import type { EntityManager } from "@mikro-orm/postgresql";
import { isSlowToFind, SortOrder, type Page } from "../../model/page.ts";
import { checkPage } from "./check-page.ts";
import { decodeCursor, encodeCursor } from "./cursor.ts";
import { offsetOf, type ListQuery, type RecordsQuery } from "./list-query.ts";
import { readRows, readTotal, type FoundPage, type Wanted } from "./page-rows.ts";
import { listed, listedBackwards } from "./page-sources.ts";
import { readSearch } from "./search-list.ts";

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
  const read = request.search ? readSearch : readList;
  const { rows, total } = await read(em, request, { cursor, limit: wantsCursor ? limit + 1 : limit });
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  return {
    items,
    total,
    nextCursor:
      wantsCursor && last && rows.length > limit
        ? encodeCursor(sorting, { value: last.sortValue!, id: last.id })
        : null,
  };
}

async function readList<Row>(em: EntityManager, request: ListQuery<Row>, wanted: Wanted): Promise<FoundPage<Row>> {
  const { conditions = [], source, selection, order = SortOrder.DESC, sort = "created_at" } = request;
  const isBackwards = await isInSecondHalf(em, request);
  const sourceOf = isBackwards ? listedBackwards(em, request) : listed(em, request);
  // Of a fixed document, the text follows the filters alone.
  const isFixed = conditions.length === 0 && !source && !isBackwards && selection.name !== undefined;
  const name = isFixed ? `${selection.name} ${sort} ${order}${wanted.cursor ? " after" : ""}` : undefined;
  return readRows(em, request, wanted, sourceOf, name);
}

/** Returns true for a far page in the second half of a list whose total is maintained. */
async function isInSecondHalf(em: EntityManager, request: RecordsQuery): Promise<boolean> {
  const { page, limit, total } = request;
  if (total !== "maintained" || !isSlowToFind({ page, limit })) return false;
  return offsetOf(request) > (await readTotal(em, request, listedBackwards(em, request))) / 2;
}
