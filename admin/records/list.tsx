import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { every, useShop } from "../queries.ts";
import { formatNumber } from "../ui/values/money.ts";
import { Empty, Notice, Skeleton } from "../ui/states.tsx";
import { Table, type Column, type Sorting } from "../ui/table.tsx";
import { Button } from "../ui/button.tsx";
import layout from "../ui/layout.module.css";
import styles from "./records.module.css";
import { useMatch, useRouter, useSearch } from "@tanstack/react-router";
import { copy } from "./copy.ts";

interface PageOf<Row> {
  items: readonly Row[];
  nextCursor: string | null;
  /** Absent where counting would be slow. */
  total?: number;
}

interface ListProps<Row extends { id: string }> {
  /** The table's name. With the filters, it is also the cache key. */
  caption: string;
  filters: Record<string, string | undefined>;
  read: (
    page: { shopId: string; after: string | null },
    options: { signal: AbortSignal; isPoll: boolean },
  ) => Promise<PageOf<Row>>;
  /** Milliseconds between polls. */
  interval?: number;
  columns: Column<Row>[];
  sorting?: Sorting;
  /** What opening a row shows below it. */
  detail?: (row: Row) => ReactNode;
  /** Formats the number of rows, where rows and total count different records. */
  count?: (rows: readonly Row[], total: number) => string;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A paginated table. When filters change, the old rows stay until the new ones load. */
export function List<Row extends { id: string }>({
  caption,
  filters,
  read,
  interval,
  columns,
  sorting,
  detail,
  count = countRows,
  empty,
}: ListProps<Row>) {
  const { id: shopId } = useShop();
  const list = useInfiniteQuery({
    queryKey: ["records", shopId, caption, filters],
    queryFn: ({ pageParam: after, signal }) => read({ shopId, after }, { signal, isPoll: interval !== undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    throwOnError: (_, { state }) => state.data === undefined,
    refetchInterval: interval === undefined ? false : every(interval),
  });
  if (!list.data) return <Skeleton />;
  const rows = list.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0) return empty;
  const [{ total }] = list.data.pages as [PageOf<Row>];
  return (
    <ListFrame list={list} count={total === undefined ? copy.shown(formatNumber(rows.length)) : count(rows, total)}>
      <Table caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} sorting={sorting} detail={detail} />
    </ListFrame>
  );
}

const countRows = (rows: readonly unknown[], total: number) =>
  copy.count(formatNumber(rows.length), formatNumber(total));

interface NoRowsProps {
  isFiltered: boolean;
  copy: Record<"noMatch" | "empty", { title: string; text: string }>;
  action?: ReactNode;
}

/** Shown instead of a list without rows. */
export function NoRows({ isFiltered, copy: { noMatch, empty }, action }: NoRowsProps) {
  if (isFiltered) return <Empty title={noMatch.title}>{noMatch.text}</Empty>;
  return (
    <Empty title={empty.title} action={action}>
      {empty.text}
    </Empty>
  );
}

interface ListFrameProps {
  /** The query behind the rows. */
  list: {
    error: Error | null;
    isPlaceholderData: boolean;
    isFetchNextPageError: boolean;
    isFetchingNextPage: boolean;
    hasNextPage: boolean;
    fetchNextPage: () => Promise<unknown>;
  };
  /** The number of rows shown, such as "50 of 120". */
  count: string;
  children: ReactNode;
}

/** The frame of a paginated list, with the number of rows and a button to load more. */
export function ListFrame({ list, count, children }: ListFrameProps) {
  return (
    <div className={`${layout.stack} ${styles.list}`} aria-busy={list.isPlaceholderData}>
      {children}
      {list.isFetchNextPageError && <Notice tone="bad">{list.error!.message}</Notice>}
      <div className={styles.more}>
        <span>{count}</span>
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            {copy.loadMore}
          </Button>
        )}
      </div>
    </div>
  );
}

/** The filters in the page's address, and a function that changes some of them. */
export function useFilters() {
  const filters = useSearch({ strict: false });
  const page = useMatch({ strict: false, select: ({ pathname }) => pathname });
  const router = useRouter();
  const change = (changed: typeof filters) => {
    // A search typed just before the page is left must not filter the next page.
    if (router.latestLocation.pathname !== page) return;
    void router.navigate({ to: ".", search: (old) => ({ ...old, ...changed }), replace: true });
  };
  return [filters, change] as const;
}

/** The sorting in an address. The first sort is the default. Unknown ones are ignored. */
export function readSorting<Sort extends string>(
  { sort, order }: { sort?: string | undefined; order?: string | undefined },
  sorts: readonly [Sort, ...Sort[]],
  onChange: Sorting["onChange"],
): Sorting & { by: Sort } {
  const by = sorts.find((each) => each === sort) ?? sorts[0];
  return { by, order: order === "ASC" ? "ASC" : "DESC", onChange };
}
