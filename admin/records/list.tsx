import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { every, useShop } from "../queries.ts";
import { tellNumber } from "../ui/values/money.ts";
import { Skeleton } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { ListFrame } from "./list-frame.tsx";

interface PageOf<Row> {
  items: readonly Row[];
  nextCursor: string | null;
  /** Absent where a count would take long. */
  total?: number;
}

interface ListProps<Row extends { id: string }> {
  /** Names the table; with the filters, also the cached rows. */
  caption: string;
  filters: Record<string, string | undefined>;
  read: (after: string | null, options: { signal: AbortSignal; isPoll: boolean }) => Promise<PageOf<Row>>;
  /** Milliseconds between two polls. */
  interval?: number;
  columns: Column<Row>[];
  /** Tells the number of rows, unless each row counts as one of the total. */
  count?: (rows: readonly Row[], total: number) => string;
  /** Shown when there are no rows. */
  empty: ReactNode;
}

/** A table of a list by cursor. A change of filters keeps the rows until the new ones are there. */
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
  const [{ total }] = list.data.pages as [PageOf<Row>];
  return (
    <ListFrame list={list} count={total === undefined ? `${tellNumber(rows.length)} shown` : count(rows, total)}>
      <Table caption={caption} columns={columns} rows={rows} keyOf={({ id }) => id} />
    </ListFrame>
  );
}

const countRows = (rows: readonly unknown[], total: number) => `${tellNumber(rows.length)} of ${tellNumber(total)}`;
