import { useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo } from "react";
import { hoursAway } from "../ui/values/moments.ts";
import { Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { SearchField } from "../ui/forms/search-field.tsx";
import { FilterSelects } from "../ui/forms/filter-selects.tsx";
import { choicesQuery, type DeliveryChoices, type DeliveryFilters } from "./delivery-queries.ts";
import { errorClasses, statuses } from "./words.tsx";

const periods = [
  ["1h", "Last hour"],
  ["1", "Last 24 hours"],
  ["7", "Last 7 days"],
] as const;
const hours = { "1h": 1, "1": 24, "7": 168 };

const useFilters = () => useSearch({ from: "/$shopId/deliveries" });
type Filters = ReturnType<typeof useFilters>;

/** The filters that the address asks for, as far as they exist. */
export function useDeliveryFilters(): DeliveryFilters {
  const { status, topic, endpoint, since, error, event } = useFilters();
  return useMemo(() => {
    const chosen = oneOf(statuses, status);
    const period = oneOf(periods, since);
    return {
      statuses: chosen && [chosen],
      topic,
      endpointId: endpoint,
      eventId: event,
      errorClass: oneOf(errorClasses, error),
      // The same for all pages of a list.
      createdSince: period && hoursAway(-hours[period]),
    };
  }, [status, topic, endpoint, since, error, event]);
}

export function FilterBar({ shopId }: { shopId: string }) {
  const filters = useFilters();
  const navigate = useNavigate({ from: "/$shopId/deliveries" });
  const { data } = useQuery(choicesQuery(shopId));
  const change = useCallback(
    (changed: Filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onEvent = useCallback((event: string | undefined) => change({ event }), [change]);
  const selects = [
    { name: "status", label: "Status", none: "Any status", options: statuses },
    { name: "topic", label: "Topic", none: "Any topic", options: listTopics(data) },
    { name: "endpoint", label: "Endpoint", none: "Any endpoint", options: listEndpoints(data) },
    { name: "error", label: "Error", none: "Any outcome", options: errorClasses },
    { name: "since", label: "Time", none: "Last 30 days", options: periods },
  ] as const;
  return (
    <Toolbar>
      <SearchField label="Event id (evt_…)" value={filters.event} onChange={onEvent} />
      <FilterSelects selects={selects} chosen={filters} onChange={change} />
    </Toolbar>
  );
}

const listTopics = (data: DeliveryChoices | undefined) =>
  data?.webhookTopics.map(({ name }) => [name, name] as const) ?? [];

/** Deleted endpoints come last: their deliveries are kept. */
function listEndpoints(data: DeliveryChoices | undefined) {
  const { webhookEndpoints = [], deletedWebhookEndpoints = [] } = data?.shop ?? {};
  return [
    ...webhookEndpoints.map(({ id, url }) => [id, url] as const),
    ...deletedWebhookEndpoints.map(({ id, url }) => [id, `${url} (deleted)`] as const),
  ];
}
