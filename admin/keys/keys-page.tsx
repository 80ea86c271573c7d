import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Access } from "../credentials/access.tsx";
import { StateBadge } from "../credentials/state-badge.tsx";
import { useShop } from "../queries.ts";
import { List } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { NoPermission } from "../shell/no-permission.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { Select } from "../ui/forms/select.tsx";
import { Empty, Notice } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { RenameKeyDialog, RevokeKeyDialog, RotateKeyDialog } from "./change-key.tsx";
import { CreateKeyDialog } from "./create-key.tsx";
import { statuses, type CredentialStatus } from "../credentials/statuses.ts";
import { INTERVAL, keyPlacesQuery, readKeys, things, type ApiKey } from "./key-queries.ts";
import text from "../ui/text.module.css";

const dialogs = { rotate: RotateKeyDialog, rename: RenameKeyDialog, revoke: RevokeKeyDialog };

export function KeysPage() {
  return useShop().may("SETTINGS") ? <Keys /> : <NoPermission title="API keys" />;
}

function Keys() {
  const { id: shopId } = useShop();
  const search = useSearch({ from: "/$shopId/keys" });
  const navigate = useNavigate({ from: "/$shopId/keys" });
  const status = oneOf(statuses, search.status);
  const { apiKeyLimit, availableScopes } = useSuspenseQuery(keyPlacesQuery(shopId)).data;
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; apiKey: ApiKey }>();
  const isFull = apiKeyLimit.used >= apiKeyLimit.maximum;
  const create = (
    <Button look="primary" disabled={isFull} onClick={() => setCreating(true)}>
      <PlusIcon /> Create key
    </Button>
  );
  const Change = change && dialogs[change.kind];
  return (
    <Page
      title="API keys"
      description="What your servers use the REST API with. Never put one into a browser or an app."
      action={create}
    >
      <Toolbar>
        <Quota {...apiKeyLimit} noun="keys in use" />
        <Select
          label="Status"
          none="Any status"
          value={status}
          options={statuses}
          onChange={(chosen: CredentialStatus | undefined) =>
            void navigate({ search: { status: chosen }, replace: true })
          }
        />
      </Toolbar>
      {isFull && <Notice tone="warning">{sayFull(apiKeyLimit.maximum)}</Notice>}
      <List
        caption="API keys"
        filters={{ status }}
        interval={INTERVAL}
        read={readKeys(shopId, status)}
        columns={columns((kind, apiKey) => setChange({ kind, apiKey }))}
        empty={
          <Empty title={status ? "No key has this status" : "No keys yet"} action={status ? undefined : create}>
            {status ? "Choose another status above." : "A key lets one of your servers read and write what you choose."}
          </Empty>
        }
      />
      {isCreating && <CreateKeyDialog shopId={shopId} available={availableScopes} onClose={() => setCreating(false)} />}
      {change && Change && <Change shopId={shopId} apiKey={change.apiKey} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

const sayFull = (maximum: number) =>
  maximum === 0
    ? "The shop’s plan includes no API keys. Whoever runs this service can change the plan."
    : "Every place of the shop’s plan is taken. Revoke a key that nobody uses, or ask whoever runs this service for a larger plan.";

function columns(onChange: (kind: keyof typeof dialogs, key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      title: "Name",
      cell: (key, keys) => (
        <>
          <span className={text.name}>{key.name}</span> <StateBadge {...key} />
          {isReplaced(key, keys) && <span className={text.under}>Safe to revoke now</span>}
        </>
      ),
    },
    { title: "Secret", cell: (key) => <code>{`${key.firstCharacters}…${key.lastCharacters}`}</code> },
    { title: "Access", cell: (key) => <Access things={things} rights={key.scopes} /> },
    { title: "Last used", cell: (key) => (key.lastUsedAt ? <Time value={key.lastUsedAt} /> : "Never") },
    {
      title: "Created",
      cell: (key) => (
        <>
          <Time value={key.createdAt} />
          <span className={text.under}>by {key.createdByName ?? "an operator"}</span>
        </>
      ),
    },
    { title: "", cell: (key) => <Actions apiKey={key} onChange={onChange} /> },
  ];
}

/** Tells whether its successor, which stands above it, is in use, and it was not since there is one. */
function isReplaced(key: ApiKey, keys: readonly ApiKey[]): boolean {
  const successor = keys.find(({ id }) => id === key.successorId);
  if (key.status !== "ACTIVE" || !successor?.lastUsedAt) return false;
  return !key.lastUsedAt || Date.parse(key.lastUsedAt) < Date.parse(successor.createdAt);
}

function Actions({
  apiKey,
  onChange,
}: {
  apiKey: ApiKey;
  onChange: (kind: keyof typeof dialogs, key: ApiKey) => void;
}) {
  const isAlive = apiKey.status === "ACTIVE";
  return (
    <Menu label={`Actions on ${apiKey.name}`}>
      <MenuItem onClick={() => onChange("rename", apiKey)}>Rename</MenuItem>
      {isAlive && !apiKey.successorId && <MenuItem onClick={() => onChange("rotate", apiKey)}>Rotate</MenuItem>}
      {isAlive && (
        <MenuItem isDanger onClick={() => onChange("revoke", apiKey)}>
          Revoke
        </MenuItem>
      )}
    </Menu>
  );
}
