import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { useFilters } from "../records/list.tsx";
import { hoursAway } from "../ui/values/time.tsx";
import { Toolbar } from "../ui/page.tsx";
import { FilterSelects, oneOf } from "../ui/forms/select.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { choicesQuery, type DeliveryChoices, type DeliveryFilters } from "./delivery-queries.ts";
import { errorClasses, statuses } from "./labels.tsx";
import { copy } from "./copy.ts";

const periods = [
  ["1h", copy.filters.lastHour],
  ["1", copy.filters.lastDay],
  ["7", copy.filters.lastWeek],
] as const;
const hours = { "1h": 1, "1": 24, "7": 168 };

/** Reads the filters from the address and ignores unknown values. */
export function useDeliveryFilters(): DeliveryFilters {
  const { status, topic, endpoint, since, error, event } = useFilters()[0];
  return useMemo(() => {
    const chosen = oneOf(statuses, status);
    const period = oneOf(periods, since);
    return {
      statuses: chosen && [chosen],
      topic,
      endpointId: endpoint,
      eventId: event,
      errorClass: oneOf(errorClasses, error),
      // Fixed, so that all pages of the list agree.
      createdSince: period && hoursAway(-hours[period]),
    };
  }, [status, topic, endpoint, since, error, event]);
}

export function FilterBar({ shopId }: { shopId: string }) {
  const [filters, change] = useFilters();
  const { data } = useQuery(choicesQuery(shopId));
  const selects = [
    { name: "status", label: copy.filters.status, none: copy.filters.anyStatus, options: statuses },
    { name: "topic", label: copy.filters.topic, none: copy.filters.anyTopic, options: listTopics(data) },
    { name: "endpoint", label: copy.filters.endpoint, none: copy.filters.anyEndpoint, options: listEndpoints(data) },
    { name: "error", label: copy.filters.error, none: copy.filters.anyError, options: errorClasses },
    { name: "since", label: copy.filters.time, none: copy.filters.lastMonth, options: periods },
  ] as const;
  return (
    <Toolbar>
      <SearchField label={copy.filters.event} value={filters.event} onChange={(event) => change({ event })} />
      <FilterSelects selects={selects} chosen={filters} onChange={change} />
    </Toolbar>
  );
}

const listTopics = (data: DeliveryChoices | undefined) =>
  data?.webhookTopics.map(({ name }) => [name, name] as const) ?? [];

/** Includes deleted endpoints, because their deliveries stay in the log. */
function listEndpoints(data: DeliveryChoices | undefined) {
  const { webhookEndpoints = [], deletedWebhookEndpoints = [] } = data?.shop ?? {};
  return [
    ...webhookEndpoints.map(({ id, name }) => [id, name] as const),
    ...deletedWebhookEndpoints.map(({ id, name }) => [id, copy.filters.deletedEndpoint(name)] as const),
  ];
}
