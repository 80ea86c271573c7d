import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense } from "react";
import { useShop } from "../queries.ts";
import { List, NoRows, useFilters } from "../records/list.tsx";
import { formatDuration, Time } from "../ui/values/time.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf, Select } from "../ui/forms/select.tsx";
import { IdField, SearchField } from "../ui/forms/search-field.tsx";
import { Skeleton } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { RequestPanel } from "./request-panel.tsx";
import { RequestDrawer, StatusBadge } from "./request-details.tsx";
import { activeKeysQuery, labelKey, listRequests, type RequestRow } from "./request-queries.ts";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

const statuses = [
  ["4xx", copy.filters.clientErrors],
  ["5xx", copy.filters.serverErrors],
  ...[200, 201, 204, 304, 400, 401, 403, 404, 409, 412, 422, 429, 500, 503].map(
    (status) => [String(status), String(status)] as const,
  ),
] as const;

/** Only IDs that the server generates are recognizable. Clients can choose their own. */
const isUuid = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export function RequestsPage() {
  const { id: shopId } = useShop();
  const [{ request, ...filters }, change] = useFilters();
  const { key, status, path, address, agent } = filters;
  const { data: keys } = useQuery(activeKeysQuery(shopId));
  const chosen = { apiKeyId: key, path, address, userAgent: agent, ...readStatus(status) };
  return (
    <Page title={copy.title} description={copy.description}>
      <Suspense fallback={<Skeleton rows={3} />}>
        <RequestPanel />
      </Suspense>
      <Toolbar>
        <IdField label={copy.filters.id} isWhole={isUuid} onFind={(id) => change({ request: id })} />
        <SearchField label={copy.filters.path} value={path} onChange={(to) => change({ path: to })} />
        <SearchField label={copy.filters.address} value={address} onChange={(to) => change({ address: to })} />
        <SearchField label={copy.filters.agent} value={agent} onChange={(to) => change({ agent: to })} />
        <Select<string>
          label={copy.filters.status}
          none={copy.filters.anyStatus}
          value={status}
          options={statuses}
          onChange={(to) => change({ status: to })}
        />
        <Select<string>
          label={copy.filters.key}
          none={copy.filters.anyKey}
          value={oneOf(keys ?? [], key)}
          options={keys ?? []}
          onChange={(to) => change({ key: to })}
        />
        {key && keys && !oneOf(keys, key) && (
          <Button onClick={() => change({ key: undefined })}>{copy.filters.clearKey}</Button>
        )}
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        read={(page, options) => listRequests({ ...page, ...chosen }, options)}
        columns={columns(shopId)}
        empty={<NoRows isFiltered={Object.values(filters).some(Boolean)} copy={copy} />}
      />
      {request && <RequestDrawer shopId={shopId} requestId={request} onClose={() => change({ request: undefined })} />}
    </Page>
  );
}

/** Reads a status such as 404, or a class of statuses such as 4xx. */
function readStatus(status = "") {
  if (/^\d{3}$/.test(status)) return { status: Number(status) };
  return /^[1-5]xx$/.test(status) ? { statusClass: Number(status[0]) } : {};
}

const columns = (shopId: string): Column<RequestRow>[] => [
  {
    title: copy.columns.request,
    cell: ({ requestId, method, path }) => (
      <Link
        to="/$shopId/requests"
        params={{ shopId }}
        search={(old) => ({ ...old, request: requestId })}
        className={text.link}
      >
        {method} {path}
      </Link>
    ),
  },
  { title: copy.columns.status, cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: copy.columns.key,
    cell: ({ apiKeyId, apiKey }) => (
      <Link
        to="/$shopId/requests"
        params={{ shopId }}
        search={(old) => ({ ...old, key: apiKeyId })}
        className={text.link}
        title={copy.onlyThisKey}
      >
        {apiKey ? labelKey(apiKey) : apiKeyId}
      </Link>
    ),
  },
  { title: copy.address, narrow: "hidden", cell: ({ address }) => address },
  { title: copy.columns.time, narrow: "end", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: copy.columns.duration, isNumber: true, cell: ({ durationMs }) => formatDuration(durationMs) },
];
