import { useState } from "react";
import { Access } from "../credentials/access.tsx";
import { StateBadge } from "../credentials/state-badge.tsx";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { isAhead } from "../ui/values/moments.ts";
import { Time } from "../ui/values/time.tsx";
import { CreateTokenDialog, RenameTokenDialog, RevokeTokenDialog } from "./token-dialogs.tsx";
import { readTokens, things, type Token } from "./token-queries.ts";
import text from "../ui/text.module.css";

const INTERVAL = 15_000;
const NO_FILTERS = {};
const dialogs = { rename: RenameTokenDialog, revoke: RevokeTokenDialog };
type OnChange = (kind: keyof typeof dialogs, token: Token) => void;

export function TokensPage() {
  return useShop().may("SETTINGS") ? <Tokens /> : <NoPermission title="Service tokens" />;
}

function Tokens() {
  const { id: shopId } = useShop();
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
      <List
        caption="Service tokens"
        filters={NO_FILTERS}
        interval={INTERVAL}
        read={readTokens(shopId)}
        columns={columns((kind, token) => setChange({ kind, token }))}
        empty={
          <Empty title="No service tokens yet" action={create}>
            A token lets a service read and change what you choose, in this shop alone.
          </Empty>
        }
      />
      {isCreating && <CreateTokenDialog shopId={shopId} onClose={() => setCreating(false)} />}
      {change && Change && <Change shopId={shopId} token={change.token} onClose={() => setChange(undefined)} />}
    </Page>
  );
}

function statusOf({ revokedAt, expiresAt }: Token) {
  if (revokedAt) return "REVOKED";
  return expiresAt && !isAhead(expiresAt) ? "EXPIRED" : "ACTIVE";
}

const columns = (onChange: OnChange): Column<Token>[] => [
  {
    title: "Name",
    cell: (token) => (
      <>
        <span className={text.name}>{token.name}</span>{" "}
        <StateBadge status={statusOf(token)} expiresAt={token.expiresAt} />
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
      {statusOf(token) === "ACTIVE" && (
        <MenuItem isDanger onClick={() => onChange("revoke", token)}>
          Revoke
        </MenuItem>
      )}
    </Menu>
  );
}
