import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useRef } from "react";
import { every } from "../queries.ts";
import { listDeliveries, type DeliveryFilters, type DeliveryPage } from "./delivery-queries.ts";

/** Milliseconds for each page that is shown, so that many pages ask no more than one. */
const INTERVAL = 2_000;

type Pages = Pick<InfiniteData<DeliveryPage>, "pages">;

/**
 * Deliveries as somebody reads them: all rows that are shown keep their state up to date, and nothing moves them down.
 * Newer ones are counted, and join them when asked for.
 */
export function useDeliveries(shopId: string, filters: DeliveryFilters) {
  const client = useQueryClient();
  const takesNew = useRef(false);
  const queryKey = ["deliveries", shopId, "list", filters];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const isHeld = pageParam === null && !takesNew.current;
      const createdBefore = isHeld ? endOf(client.getQueryData<Pages>(queryKey)) : undefined;
      return listDeliveries(shopId, { ...filters, createdBefore }, pageParam, signal);
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    throwOnError: (_, { state }) => state.data === undefined,
    refetchInterval: ({ state }) => every(INTERVAL * (state.data?.pages.length ?? 1))(),
    gcTime: 0,
  });
  const end = endOf(list.data);
  const news = useQuery({
    queryKey: ["deliveries", shopId, "news", filters, end],
    queryFn: ({ signal }) => listDeliveries(shopId, { ...filters, createdSince: end }, null, signal),
    enabled: end !== undefined && !list.isPlaceholderData,
    refetchInterval: every(INTERVAL),
    gcTime: 0,
  });
  const showAdded = async () => {
    takesNew.current = true;
    await list.refetch();
    takesNew.current = false;
  };
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  // The list's own frame tells when no more could be loaded.
  const error = (list.isFetchNextPageError ? null : list.error) ?? news.error;
  return { list, error, rows, added: news.data?.total ?? 0, showAdded };
}

/** The moment right after the newest row; undefined without rows. Moments in answers are cut to milliseconds. */
function endOf(list: Pages | undefined): string | undefined {
  const newest = list?.pages[0]?.items[0];
  return newest && new Date(Date.parse(newest.createdAt) + 1).toISOString();
}
