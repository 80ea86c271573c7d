import { useNavigate, useSearch } from "@tanstack/react-router";
import { useState } from "react";
import { Access } from "../credentials/access.tsx";
import { StateBadge } from "../credentials/state-badge.tsx";
import { statuses, type CredentialStatus } from "../credentials/statuses.ts";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateTokenDialog, RenameTokenDialog, RevokeTokenDialog } from "./token-dialogs.tsx";
import { readTokens, things, type Token } from "./token-queries.ts";
import text from "../ui/text.module.css";

const INTERVAL = 15_000;
const dialogs = { rename: RenameTokenDialog, revoke: RevokeTokenDialog };
type OnChange = (kind: keyof typeof dialogs, token: Token) => void;

export function TokensPage() {
  return useShop().may("SETTINGS") ? <Tokens /> : <NoPermission title="Service tokens" />;
}

function Tokens() {
  const { id: shopId } = useShop();
  const search = useSearch({ from: "/$shopId/tokens" });
  const navigate = useNavigate({ from: "/$shopId/tokens" });
  const status = statuses.find(([each]) => each === search.status)?.[0];
  const [isCreating, setCreating] = useState(false);
  const [change, setChange] = useState<{ kind: keyof typeof dialogs; token: Token }>();
  const Change = change && dialogs[change.kind];
  const create = (
    <Button look="primary" onClick={() => setCreating(true)}>
      <PlusIcon /> Create token
    </Button>
  );
  return (
    <Page
      title="Service tokens"
      description="What services of the shop's own use GraphQL with, such as tills and a storefront."
      action={create}
    >
      <Toolbar>
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
      <List
        caption="Service tokens"
        filters={{ status }}
        interval={INTERVAL}
        read={readTokens(shopId, status)}
        columns={columns((kind, token) => setChange({ kind, token }))}
        empty={
          <Empty
            title={status ? "No token has this status" : "No service tokens yet"}
            action={status ? undefined : create}
          >
            {status
              ? "Choose another status above."
              : "A token lets a service read and change what you choose, in this shop alone."}
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
    title: "Name",
    cell: (token) => (
      <>
        <span className={text.name}>{token.name}</span> <StateBadge {...token} />
      </>
    ),
  },
  { title: "Secret", cell: (token) => <code>{`${token.firstCharacters}…${token.lastCharacters}`}</code> },
  { title: "Access", cell: ({ permissions }) => <Access things={things} rights={permissions} /> },
  { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : "Never") },
  {
    title: "Created",
    cell: ({ createdAt, createdByName }) => (
      <>
        <Time value={createdAt} />
        <span className={text.under}>by {createdByName ?? "an operator"}</span>
      </>
    ),
  },
  { title: "", cell: (token) => <Actions token={token} onChange={onChange} /> },
];

function Actions({ token, onChange }: { token: Token; onChange: OnChange }) {
  return (
    <Menu label={`Actions on ${token.name}`}>
      <MenuItem onClick={() => onChange("rename", token)}>Rename</MenuItem>
      {token.status === "ACTIVE" && (
        <MenuItem isDanger onClick={() => onChange("revoke", token)}>
          Revoke
        </MenuItem>
      )}
    </Menu>
  );
}
