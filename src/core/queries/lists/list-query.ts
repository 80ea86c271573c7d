import { sql, type Expression, type SqlBool } from "kysely";
import type { PageRequest, SortOrder } from "../../model/page.ts";
import type { ListedTable } from "../../model/tables.ts";
import type { Selector } from "../columns.ts";
import type { Selection } from "../selection.ts";
import type { TextFilters } from "./check-page.ts";
import type { Search } from "./search.ts";

/** The records of a list, whatever is selected. */
export interface RecordsQuery extends PageRequest {
  shopId: string;
  table: ListedTable;
  conditions?: readonly Expression<SqlBool>[];
  search?: Search;
  /** Texts in the conditions, which are checked. */
  texts?: TextFilters;
  /** The sort column. It is never null, and rows with equal values are sorted by id. */
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

/** SQL that finds the ids of a page, and counts the records on all pages. */
export interface Source {
  /** A query that the others read as `found`. */
  found?: Expression<unknown>;
  ids: (window: Window) => Expression<unknown>;
  total?: Expression<number>;
}

/** Makes the source of a list's records, for a shop. */
export type SourceOf = (shopId: Expression<string>) => Source;

/** The number of records before the page. */
export function offsetOf({ page, limit }: PageRequest): number {
  return ((page ?? 1) - 1) * limit;
}

/** The expression to sort by, before the id. */
export function sortOf({ sortBy, sort = "created_at" }: RecordsQuery): Expression<unknown> {
  return sortBy ?? sql.ref(sort);
}

/** SQL: the expression after `order by`. */
export function orderingOf(request: RecordsQuery, order: SortOrder): Expression<unknown> {
  const direction = sql.raw(order);
  return sql`${sortOf(request)} ${direction}, id ${direction}`;
}
