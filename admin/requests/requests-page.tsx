import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { tellDuration } from "../ui/values/duration.ts";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { IdField } from "../ui/forms/id-field.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { RequestDrawer } from "./request-details.tsx";
import { activeKeysQuery, listRequests, nameKey, type RequestRow } from "./request-queries.ts";
import text from "../ui/text.module.css";
import { StatusBadge } from "./status-badge.tsx";

const statuses = [200, 201, 204, 304, 400, 401, 403, 404, 409, 412, 422, 429, 500, 503].map(
  (status) => [String(status), String(status)] as const,
);

/** Ids that callers chose themselves have no form to know them by. */
const isUuid = (id: string) => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(id);

export function RequestsPage() {
  return useShop().may("SETTINGS") ? <Requests /> : <NoPermission title="Requests" />;
}

function Requests() {
  const { id: shopId } = useShop();
  const { request, ...filters } = useSearch({ from: "/$shopId/requests" });
  const { key, status, path } = filters;
  const navigate = useNavigate({ from: "/$shopId/requests" });
  const { data: keys } = useQuery(activeKeysQuery(shopId));
  const change = useCallback(
    (changed: typeof filters & { request?: string }) =>
      void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onPath = useCallback((chosenPath: string | undefined) => change({ path: chosenPath }), [change]);
  const chosen = { apiKeyId: key, path, status: status && /^\d{3}$/.test(status) ? Number(status) : undefined };
  return (
    <Page title="Requests" description="What the shop’s API keys asked the REST API for in the last 30 days.">
      <Toolbar>
        <IdField label="Request id" isWhole={isUuid} onFind={(id) => change({ request: id })} />
        <SearchField label="Path, such as /products" value={path} onChange={onPath} />
        <Select<string>
          label="Status"
          none="Any status"
          value={status}
          options={statuses}
          onChange={(to) => change({ status: to })}
        />
        <Select<string>
          label="API key"
          none="Any key"
          value={oneOf(keys ?? [], key)}
          options={keys ?? []}
          onChange={(to) => change({ key: to })}
        />
        {key && keys && !oneOf(keys, key) && (
          <Button onClick={() => change({ key: undefined })}>With a key that ended: show all</Button>
        )}
      </Toolbar>
      <List
        caption="Requests"
        filters={filters}
        read={(after, { signal }) => listRequests(shopId, chosen, after, { signal })}
        columns={columns(shopId)}
        empty={
          Object.values(filters).some(Boolean) ? (
            <Empty title="No request matches">
              Enter a whole path below the shop or a route, or change the filters.
            </Empty>
          ) : (
            <Empty title="No requests yet">
              They appear here some seconds after one of your servers has used an API key.
            </Empty>
          )
        }
      />
      {request && <RequestDrawer shopId={shopId} requestId={request} onClose={() => change({ request: undefined })} />}
    </Page>
  );
}

const columns = (shopId: string): Column<RequestRow>[] => [
  {
    title: "Request",
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
  { title: "Status", cell: ({ status }) => <StatusBadge status={status} /> },
  {
    title: "API key",
    cell: ({ apiKeyId, apiKey }) => (
      <Link
        to="/$shopId/requests"
        params={{ shopId }}
        search={(old) => ({ ...old, key: apiKeyId })}
        className={text.link}
        title="Show only its requests"
      >
        {apiKey ? nameKey(apiKey) : apiKeyId}
      </Link>
    ),
  },
  { title: "Answered", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: "Took", isNumber: true, cell: ({ durationMs }) => tellDuration(durationMs) },
];
