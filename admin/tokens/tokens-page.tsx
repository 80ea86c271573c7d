import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Access } from "../credentials/access.tsx";
import { StateBadge } from "../credentials/state-badge.tsx";
import { statuses } from "../credentials/statuses.ts";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { CreateTokenDialog, RenameTokenDialog, RevokeTokenDialog } from "./token-dialogs.tsx";
import { readTokens, resources, type Token } from "./token-queries.ts";
import text from "../ui/text.module.css";
import { secretColumn, usageColumns } from "../credentials/columns.tsx";
import { copy as credentialCopy } from "../credentials/copy.ts";
import { StatusFilter } from "../credentials/status-filter.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { copy } from "./copy.ts";

const INTERVAL = 15_000;
const dialogs = { rename: RenameTokenDialog, revoke: RevokeTokenDialog };
type OnChange = (kind: keyof typeof dialogs, token: Token) => void;

export function TokensPage() {
  return useShop().can("SETTINGS") ? <Tokens /> : <NoPermission title={copy.title} />;
}

function Tokens() {
  const { id: shopId } = useShop();
  const search = useSearch({ from: "/$shopId/tokens" });
  const navigate = useNavigate({ from: "/$shopId/tokens" });
  const status = oneOf(statuses, search.status);
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; token: Token }>();
  const Change = change && dialogs[change.kind];
  const create = (
    <Button variant="primary" onClick={() => setCreating(true)}>
      <PlusIcon /> {copy.create}
    </Button>
  );
  return (
    <Page title={copy.title} description={copy.description} action={create}>
      <Toolbar>
        <StatusFilter
          status={status}
          onChange={(chosen) => void navigate({ search: { status: chosen }, replace: true })}
        />
      </Toolbar>
      <List
        caption={copy.title}
        filters={{ status }}
        interval={INTERVAL}
        read={readTokens(shopId, status)}
        columns={columns((kind, token) => setChange({ kind, token }))}
        empty={
          <Empty title={status ? copy.noMatch : copy.empty.title} action={status ? undefined : create}>
            {status ? credentialCopy.chooseStatus : copy.empty.text}
          </Empty>
        }
      />
      {isCreating && <CreateTokenDialog shopId={shopId} onClose={() => setCreating(false)} />}
      {change && Change && <Change shopId={shopId} token={change.token} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

const columns = (onChange: OnChange): Column<Token>[] => [
  {
    title: credentialCopy.name,
    cell: (token) => (
      <>
        <span className={text.name}>{token.name}</span> <StateBadge {...token} />
      </>
    ),
  },
  secretColumn,
  { title: credentialCopy.access, cell: ({ permissions }) => <Access resources={resources} rights={permissions} /> },
  ...usageColumns,
  { title: "", cell: (token) => <Actions token={token} onChange={onChange} /> },
];

function Actions({ token, onChange }: { token: Token; onChange: OnChange }) {
  return (
    <Menu label={credentialCopy.actionsFor(token.name)}>
      <MenuItem onClick={() => onChange("rename", token)}>{credentialCopy.rename}</MenuItem>
      {token.status === "ACTIVE" && (
        <MenuItem isDanger onClick={() => onChange("revoke", token)}>
          {credentialCopy.revoke}
        </MenuItem>
      )}
    </Menu>
  );
}
