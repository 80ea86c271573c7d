import { keepPreviousData, useInfiniteQuery, useQuery, useQueryClient, type InfiniteData } from "@tanstack/react-query";
import { every } from "../queries.ts";
import { listDeliveries, type DeliveryFilters, type DeliveryPage, type DeliveryRow } from "./delivery-queries.ts";

const INTERVAL = 2_000;

/**
 * Deliveries as somebody reads them: rows stay where they are, and tell of their state anew. What came since is
 * counted, and joins them when asked for.
 */
export function useDeliveries(shopId: string, filters: DeliveryFilters) {
  const client = useQueryClient();
  const queryKey = ["deliveries", shopId, filters];
  const list = useInfiniteQuery({
    queryKey,
    queryFn: ({ pageParam, signal }) => listDeliveries(shopId, filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
    throwOnError: (_, { state }) => state.data === undefined,
    staleTime: Infinity,
    gcTime: 0,
  });
  const head = useQuery({
    queryKey: [...queryKey, "head"],
    queryFn: ({ signal }) => listDeliveries(shopId, filters, null, signal),
    enabled: list.data !== undefined && !list.isPlaceholderData,
    refetchInterval: every(INTERVAL),
    gcTime: 0,
  });
  const shown = list.data?.pages.flatMap(({ items }) => items) ?? [];
  const fresh = new Map(head.data?.items.map((row) => [row.id, row]));
  const rows = shown.length === 0 ? [...fresh.values()] : shown.map((row) => fresh.get(row.id) ?? row);
  const known = new Set(rows.map(({ id }) => id));
  const added = head.data?.items.filter(({ id }) => !known.has(id)) ?? [];
  const showAdded = () =>
    client.setQueryData<InfiniteData<DeliveryPage, string | null>>(queryKey, (old) => old && merge(old, head.data!));
  return { list, head, rows, added: added.length, showAdded, total: (head.data ?? list.data?.pages[0])?.total ?? 0 };
}

/** The newest page in front of those that are shown; alone, when there may be others between them. */
function merge(old: InfiniteData<DeliveryPage, string | null>, head: DeliveryPage) {
  const isKnown = (row: DeliveryRow) => head.items.some(({ id }) => id === row.id);
  const touches = head.nextCursor === null || old.pages.some(({ items }) => items.some(isKnown));
  if (!touches) return { pages: [head], pageParams: [null] };
  const rest = old.pages.flatMap(({ items }) => items).filter((row) => !isKnown(row));
  const items = [...head.items, ...rest].toSorted(newestFirst);
  return { pages: [{ ...head, items, nextCursor: old.pages.at(-1)!.nextCursor }], pageParams: [null] };
}

const newestFirst = (one: DeliveryRow, other: DeliveryRow) =>
  Date.parse(other.createdAt) - Date.parse(one.createdAt) || (one.id < other.id ? 1 : -1);
