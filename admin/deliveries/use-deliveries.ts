import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { useRef } from "react";
import { every } from "../queries.ts";
import { listDeliveries, type DeliveryFilters, type DeliveryPage } from "./delivery-queries.ts";

/** Milliseconds between polls for each page shown, so that more pages don't mean more requests. */
const INTERVAL = 2_000;

type Pages = Pick<InfiniteData<DeliveryPage>, "pages">;

/**
 * A list of deliveries that updates in place. New deliveries are counted, and join the list only when the user asks, so
 * that rows don't move.
 */
export function useDeliveries(shopId: string, filters: DeliveryFilters) {
  const client = useQueryClient();
  const includesNew = useRef(false);
  const queryKey = ["deliveries", shopId, "list", filters];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => {
      const isFixed = pageParam === null && !includesNew.current;
      const createdBefore = isFixed ? endOf(client.getQueryData<Pages>(queryKey)) : undefined;
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
    includesNew.current = true;
    await list.refetch();
    includesNew.current = false;
  };
  const rows = list.data?.pages.flatMap(({ items }) => items) ?? [];
  // ListFrame shows errors of loading more.
  const error = (list.isFetchNextPageError ? null : list.error) ?? news.error;
  return { list, error, rows, added: news.data?.total ?? 0, showAdded };
}

/** The time right after the newest row; undefined without rows. Times in responses are cut to milliseconds. */
function endOf(list: Pages | undefined): string | undefined {
  const newest = list?.pages[0]?.items[0];
  return newest && new Date(Date.parse(newest.createdAt) + 1).toISOString();
}
