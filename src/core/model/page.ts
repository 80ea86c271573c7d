import { ArgsType, Int, type ClassType } from "type-graphql";
import { argumentsOf, field, nullable, objectOf } from "./fields.ts";
import { MetadataEntry, type Metadata } from "./metadata.entity.ts";
import { lowercaseEnum, type ValueOf } from "./enum-type.ts";

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 250;
/** The largest page number: the largest GraphQL Int. */
export const MAX_PAGE = 2_147_483_647;

export const SortOrder = lowercaseEnum("SortOrder", "The sort direction of a list.", {
  ASC: "Ascending: oldest, smallest or first in the alphabet.",
  DESC: "Descending: newest, largest or last in the alphabet.",
});
export type SortOrder = ValueOf<typeof SortOrder>;

/** The requested rows of a list: a page by number, or the rows after a cursor. */
export interface PageRequest {
  /** Starts at 1. Null means 1. */
  page?: number | null;
  after?: string | null;
  limit: number;
  order?: SortOrder;
  metadata?: Metadata | null;
}

export interface Page<Item> {
  items: Item[];
  /** The number of matching rows on all pages. */
  total: number;
  nextCursor: string | null;
}

/** Reads a page of a file that is being sent. Decides when, and whether it still may be read. */
export type ReadPage = <Rows>(read: () => Promise<Rows>) => Promise<Rows>;

/** The number of skipped rows from which a page is slow in PostgreSQL. */
const FAR = 1_000;

/** Returns true when the rows of a list may be slow to find: for a search, or a page far from the first. */
export function isSlowToFind(request: { page?: unknown; limit?: unknown; search?: unknown }): boolean {
  const { page, limit, search } = request;
  return search != null || (Number(page ?? 1) - 1) * Number(limit ?? 0) > FAR;
}

/** The arguments of every list. */
export const pageArguments = {
  page: nullable(Int, "The page number, starting at 1. Cannot be combined with `after`."),
  after: nullable(
    String,
    "The nextCursor of the previous page. With cursors, no record is skipped or repeated while others are added or removed.",
  ),
  limit: field(Int, "The number of records per page, 1 to 250.", { defaultValue: DEFAULT_LIMIT }),
  order: field(SortOrder, "The sort direction.", { defaultValue: SortOrder.DESC }),
};

@ArgsType()
export class PageArgs extends argumentsOf(pageArguments) {}

/** The arguments of a list of records with metadata. */
export const recordArguments = {
  ...pageArguments,
  metadata: nullable(MetadataEntry, "Only records with this value of the key."),
};

/** The base class of a list's GraphQL type. */
export function pageOf<Item extends object>(itemType: ClassType<Item>): ClassType<Page<Item>> {
  return objectOf({
    items: field([itemType], "The records on this page."),
    total: field(Int, "The total number of matching records, on all pages."),
    nextCursor: nullable(String, "The cursor of the next page. Null on the last page."),
  }) as ClassType<Page<Item>>;
}
