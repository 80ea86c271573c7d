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
import { hasEndedPlan } from "../shell/plan.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { Empty, Notice } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { RenameKeyDialog, RevokeKeyDialog, RotateKeyDialog } from "./change-key.tsx";
import { CreateKeyDialog } from "./create-key.tsx";
import { statuses } from "../credentials/statuses.ts";
import { INTERVAL, keyLimitQuery, readKeys, resources, type ApiKey } from "./key-queries.ts";
import text from "../ui/text.module.css";
import { secretColumn, usageColumns } from "../credentials/columns.tsx";
import { copy as credentialCopy } from "../credentials/copy.ts";
import { StatusFilter } from "../credentials/status-filter.tsx";
import { copy } from "./copy.ts";

const dialogs = { rotate: RotateKeyDialog, rename: RenameKeyDialog, revoke: RevokeKeyDialog };

export function KeysPage() {
  return useShop().can("SETTINGS") ? <Keys /> : <NoPermission title={copy.title} />;
}

function Keys() {
  const shop = useShop();
  const { id: shopId } = shop;
  const search = useSearch({ from: "/$shopId/keys" });
  const navigate = useNavigate({ from: "/$shopId/keys" });
  const status = oneOf(statuses, search.status);
  const { apiKeyLimit, availableScopes } = useSuspenseQuery(keyLimitQuery(shopId)).data;
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; apiKey: ApiKey }>();
  const isFull = apiKeyLimit.used >= apiKeyLimit.maximum;
  const create = (
    <Button variant="primary" disabled={isFull} onClick={() => setCreating(true)}>
      <PlusIcon /> {copy.create}
    </Button>
  );
  const Change = change && dialogs[change.kind];
  return (
    <Page title={copy.title} description={copy.description} action={create}>
      <Toolbar>
        {apiKeyLimit.maximum > 0 && <Quota {...apiKeyLimit} noun={copy.quota} />}
        <StatusFilter
          status={status}
          onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
        />
      </Toolbar>
      {isFull && !hasEndedPlan(shop) && <Notice tone="warning">{copy.limitReached}</Notice>}
      <List
        caption={copy.title}
        filters={{ status }}
        interval={INTERVAL}
        read={readKeys(shopId, status)}
        columns={columns((kind, apiKey) => setChange({ kind, apiKey }))}
        empty={
          <Empty title={status ? copy.noMatch : copy.empty.title} action={status ? undefined : create}>
            {status ? credentialCopy.chooseStatus : copy.empty.text}
          </Empty>
        }
      />
      {isCreating && <CreateKeyDialog shopId={shopId} available={availableScopes} onClose={() => setCreating(false)} />}
      {change && Change && <Change shopId={shopId} apiKey={change.apiKey} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function columns(onChange: (kind: keyof typeof dialogs, key: ApiKey) => void): Column<ApiKey>[] {
  return [
    {
      title: credentialCopy.name,
      cell: (key, keys) => (
        <>
          <span className={text.name}>{key.name}</span> <StateBadge {...key} />
          {isReplaced(key, keys) && <span className={text.under}>{copy.safeToRevoke}</span>}
        </>
      ),
    },
    secretColumn,
    { title: credentialCopy.access, cell: (key) => <Access resources={resources} rights={key.scopes} /> },
    ...usageColumns,
    { title: "", cell: (key) => <Actions apiKey={key} onChange={onChange} /> },
  ];
}

/** True when the key's successor is in use and the key has not been used since the successor was created. */
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
  const isActive = apiKey.status === "ACTIVE";
  return (
    <Menu label={credentialCopy.actionsFor(apiKey.name)}>
      <MenuItem onClick={() => onChange("rename", apiKey)}>{credentialCopy.rename}</MenuItem>
      {isActive && !apiKey.successorId && <MenuItem onClick={() => onChange("rotate", apiKey)}>{copy.rotate}</MenuItem>}
      {isActive && (
        <MenuItem isDanger onClick={() => onChange("revoke", apiKey)}>
          {credentialCopy.revoke}
        </MenuItem>
      )}
    </Menu>
  );
}
