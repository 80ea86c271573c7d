import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { copy as recordCopy } from "../records/copy.ts";
import { RecordLink } from "../records/record-link.tsx";
import { List, useFilters } from "../records/list.tsx";
import { hasEndedPlan } from "../shell/notices.tsx";
import { Button } from "../ui/button.tsx";
import { FilterSelects, oneOf, optionsOf } from "../ui/forms/select.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { Menu, MenuItem } from "../ui/menu.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { Empty, Notice } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { Quota } from "../ui/values/quota.tsx";
import { Time } from "../ui/values/time.tsx";
import { Access, type Resource } from "./access.tsx";
import { ConnectAssistant } from "./connect-assistant.tsx";
import { CreateDialog, RenameDialog, RevokeDialog, RotateDialog } from "./credential-dialogs.tsx";
import { keyLimitQuery, type Credential } from "./credential-queries.ts";
import { keys, tokens, type Kind } from "./kinds.ts";
import { copy, keys as keyTexts } from "./copy.ts";

const INTERVAL = 15_000;
const statuses = optionsOf<Credential["status"]>(copy.statuses);
const selects = [{ name: "status", label: copy.status, none: copy.anyStatus, options: statuses }] as const;
const dialogs = { rotate: RotateDialog, rename: RenameDialog, revoke: RevokeDialog };
type OnChange = (dialog: keyof typeof dialogs, credential: Credential) => void;

export function KeysPage() {
  const { id: shopId } = useShop();
  const { apiKeyLimit, availableScopes } = useSuspenseQuery(keyLimitQuery(shopId)).data;
  return <Credentials kind={keys} limit={apiKeyLimit} available={availableScopes} />;
}

export const TokensPage = () => <Credentials kind={tokens} />;

interface CredentialsProps<Name extends Resource> {
  kind: Kind<Name>;
  limit?: { used: number; maximum: number };
  available?: readonly string[];
}

function Credentials<Name extends Resource>({ kind, limit, available }: CredentialsProps<Name>) {
  const { texts } = kind;
  const shop = useShop();
  const { id: shopId } = shop;
  const [filters, change] = useFilters();
  const status = oneOf(statuses, filters.status);
  const [isCreating, setCreating] = useState(false);
  const [open, setOpen] = useState<{ dialog: keyof typeof dialogs; credential: Credential }>();
  const Open = open && dialogs[open.dialog];
  const isFull = limit !== undefined && limit.used >= limit.maximum;
  const create = (
    <Button variant="primary" disabled={isFull} onClick={() => setCreating(true)}>
      <PlusIcon /> {texts.create}
    </Button>
  );
  return (
    <Page title={texts.title} description={texts.description} action={create}>
      <Toolbar>
        {limit && limit.maximum > 0 && <Quota {...limit} noun={keyTexts.quota} />}
        <FilterSelects selects={selects} chosen={filters} onChange={change} />
        <ConnectAssistant kind={kind.rights === "scopes" ? "apiKey" : "service"} />
      </Toolbar>
      {isFull && !hasEndedPlan(shop) && <Notice tone="warning">{keyTexts.limitReached}</Notice>}
      <List<Credential>
        caption={texts.title}
        filters={{ status }}
        interval={INTERVAL}
        read={(page, options) => kind.list({ ...page, status }, options)}
        columns={columns(kind.resources, (dialog, credential) => setOpen({ dialog, credential }))}
        empty={
          <Empty title={status ? texts.noMatch : texts.empty.title} action={status ? undefined : create}>
            {status ? copy.chooseStatus : texts.empty.text}
          </Empty>
        }
      />
      {isCreating && (
        <CreateDialog shopId={shopId} kind={kind} available={available} onClose={() => setCreating(false)} />
      )}
      {open && Open && (
        <Open shopId={shopId} kind={kind} credential={open.credential} onClose={() => setOpen(undefined)} />
      )}
    </Page>
  );
}

const columns = (resources: readonly Resource[], onChange: OnChange): Column<Credential>[] => [
  {
    title: copy.name,
    cell: (credential) => (
      <>
        <span className={text.name}>
          <RecordLink id={credential.id}>{credential.name}</RecordLink>
        </span>{" "}
        <StateBadge {...credential} />
        {credential.isSafeToRevoke && credential.status === "ACTIVE" && (
          <span className={text.under}>{keyTexts.safeToRevoke}</span>
        )}
      </>
    ),
  },
  {
    title: copy.secret,
    cell: ({ firstCharacters, lastCharacters }) => <code>{`${firstCharacters}…${lastCharacters}`}</code>,
  },
  { title: copy.access, cell: ({ rights }) => <Access resources={resources} rights={rights} /> },
  {
    title: copy.lastUsed,
    narrow: "labeled",
    cell: ({ lastUsedAt }) => (lastUsedAt ? <Time value={lastUsedAt} /> : copy.never),
  },
  {
    title: copy.createdAt,
    narrow: "labeled",
    cell: ({ createdAt, createdByName }) => (
      <>
        <Time value={createdAt} />{" "}
        <span className={text.small}>{recordCopy.by(createdByName ?? recordCopy.anOperator)}</span>
      </>
    ),
  },
  { title: "", cell: (credential) => <Actions credential={credential} onChange={onChange} /> },
];

/** The status of a credential; nothing when it is active and never expires. */
export function StateBadge({ status, expiresAt }: Pick<Credential, "status" | "expiresAt">) {
  if (status === "REVOKED") return <Badge tone="bad">{copy.statuses.REVOKED}</Badge>;
  if (status === "EXPIRED") return <Badge>{copy.statuses.EXPIRED}</Badge>;
  if (!expiresAt) return null;
  return (
    <Badge tone="warning">
      <Sentence text={copy.expires} parts={{ time: <Time value={expiresAt} /> }} />
    </Badge>
  );
}

function Actions({ credential, onChange }: { credential: Credential; onChange: OnChange }) {
  const isActive = credential.status === "ACTIVE";
  return (
    <Menu label={copy.actionsFor(credential.name)}>
      <MenuItem onClick={() => onChange("rename", credential)}>{copy.rename}</MenuItem>
      {isActive && credential.successorId === null && (
        <MenuItem onClick={() => onChange("rotate", credential)}>{keyTexts.rotate}</MenuItem>
      )}
      {isActive && (
        <MenuItem isDanger onClick={() => onChange("revoke", credential)}>
          {copy.revoke}
        </MenuItem>
      )}
    </Menu>
  );
}
