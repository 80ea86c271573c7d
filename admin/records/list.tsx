import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { every, useShop } from "../queries.ts";
import { Button } from "../ui/button.tsx";
import { tellNumber } from "../ui/values/money.ts";
import { Notice, Skeleton } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import styles from "./records.module.css";

interface PageOf<Row> {
  items: readonly Row[];
  nextCursor: string | null;
  total: number;
}

interface ListProps<Row extends { id: string }> {
  /** Names the table, and with the filters what is kept of it. */
  caption: string;
  filters: Record<string, string | undefined>;
  read: (after: string | null, options: { signal: AbortSignal; isPoll: boolean }) => Promise<PageOf<Row>>;
  /** Asks again by itself so often, in milliseconds. */
  interval?: number;
  columns: Column<Row>[];
  /** How many rows there are, where it is not as many of the whole. */
  count?: (rows: readonly Row[], total: number) => string;
  /** Stands in the place of no rows. */
  empty: ReactNode;
}

/** A table of a list by cursor. A change of filters keeps the rows until those that fit are there. */
export function List<Row extends { id: string }>({
  caption,
  filters,
  read,
  interval,
  columns,
  count = countRows,
  empty,
}: ListProps<Row>) {
  const { id: shopId } = useShop();
  const list = useInfiniteQuery({
    queryKey: ["records", shopId, caption, filters],
    queryFn: ({ pageParam, signal }) => read(pageParam, { signal, isPoll: interval !== undefined }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    throwOnError: (_, { state }) => state.data === undefined,
    refetchInterval: interval === undefined ? false : every(interval),
  });
  if (!list.data) return <Skeleton />;
  const rows = list.data.pages.flatMap(({ items }) => items);
  if (rows.length === 0) return empty;
  return (
    <div className={styles.list} aria-busy={list.isPlaceholderData}>
      <Table caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
      {list.isFetchNextPageError && <Notice tone="bad">{list.error.message}</Notice>}
      <div className={styles.more}>
        <span>{count(rows, list.data.pages[0]!.total)}</span>
        {list.hasNextPage && (
          <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
            Load more
          </Button>
        )}
      </div>
    </div>
  );
}

const countRows = (rows: readonly unknown[], total: number) => `${tellNumber(rows.length)} of ${tellNumber(total)}`;
