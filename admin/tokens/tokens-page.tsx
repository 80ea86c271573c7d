import { useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page } from "../ui/page.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { Permissions } from "./permissions.tsx";
import { CreateTokenDialog, RenameTokenDialog, RevokeTokenDialog } from "./token-dialogs.tsx";
import { readTokens, type Token } from "./token-queries.ts";
import styles from "./tokens.module.css";

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

const hasExpired = ({ expiresAt }: Token) => expiresAt !== null && Date.parse(expiresAt) < Date.now();

const columns = (onChange: OnChange): Column<Token>[] => [
  {
    title: "Name",
    cell: (token) => (
      <>
        <span className={styles.name}>{token.name}</span> <State token={token} />
      </>
    ),
  },
  { title: "Secret", cell: (token) => <code>{`${token.firstCharacters}…${token.lastCharacters}`}</code> },
  { title: "Access", cell: ({ permissions }) => <Permissions permissions={permissions} /> },
  { title: "Last used", cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : "Never") },
  {
    title: "Created",
    cell: ({ createdAt, createdByName }) => (
      <>
        <Time value={createdAt} />
        <span className={styles.soft}>by {createdByName ?? "an operator"}</span>
      </>
    ),
  },
  { title: "", cell: (token) => <Actions token={token} onChange={onChange} /> },
];

function State({ token }: { token: Token }) {
  if (token.revokedAt) return <Badge tone="bad">Revoked</Badge>;
  if (hasExpired(token)) return <Badge>Expired</Badge>;
  if (!token.expiresAt) return null;
  return (
    <Badge tone="warning">
      ends <Time value={token.expiresAt} />
    </Badge>
  );
}

function Actions({ token, onChange }: { token: Token; onChange: OnChange }) {
  return (
    <Menu label={`Actions on ${token.name}`}>
      <MenuItem onClick={() => onChange("rename", token)}>Rename</MenuItem>
      {!token.revokedAt && !hasExpired(token) && (
        <MenuItem isDanger onClick={() => onChange("revoke", token)}>
          Revoke
        </MenuItem>
      )}
    </Menu>
  );
}
