import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { BackLink } from "../records/back-link.tsx";
import { copy as records } from "../records/copy.ts";
import { Button } from "../ui/button.tsx";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { labeledNumber, Table, type Column } from "../ui/table.tsx";
import text from "../ui/text.module.css";
import { Badge } from "../ui/values/badge.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Tags } from "../ui/values/tags.tsx";
import { ExactTime, Time } from "../ui/values/time.tsx";
import { AllowedAddressesDialog } from "./allowed-addresses.tsx";
import { StateBadge } from "./credentials-page.tsx";
import { keyQuery, type ApiKey } from "./credential-queries.ts";
import { copy as shared, keys as copy } from "./copy.ts";

/** An API key: who used it, and from where it may be used. */
export function KeyPage() {
  const { id: shopId } = useShop();
  const { keyId } = useParams({ from: "/$shopId/keys/$keyId" });
  const { data: key } = useSuspenseQuery(keyQuery(shopId, keyId));
  const [isEditing, setEditing] = useState(false);
  const { clients, logStartsAt, usedScopes } = key.usage;
  const unused = key.scopes.filter((scope) => !usedScopes.includes(scope)).map((scope) => scope.toLowerCase());
  return (
    <Page
      title={key.name}
      description={<code>{`${key.firstCharacters}…${key.lastCharacters}`}</code>}
      back={<BackLink to="/$shopId/keys" title={copy.title} />}
      action={<Button onClick={() => setEditing(true)}>{copy.allowed.edit}</Button>}
    >
      {key.status !== "ACTIVE" && (
        <div>
          <StateBadge {...key} />
        </div>
      )}
      <Facts
        facts={[
          ...(key.status === "ACTIVE" ? [fact(copy.safe, <Safety apiKey={key} />)] : []),
          fact(
            shared.createdAt,
            <Sentence
              text={shared.createdBy}
              parts={{ time: <Time value={key.createdAt} />, name: key.createdByName ?? records.anOperator }}
            />,
          ),
          fact(shared.lifetime.label, key.expiresAt ? <ExactTime value={key.expiresAt} /> : shared.never),
          fact(shared.lastUsed, key.lastUsedAt ? <Time value={key.lastUsedAt} /> : shared.never),
          fact(copy.scopes, <Texts texts={key.scopes.map((scope) => scope.toLowerCase())} none={copy.none} />),
          fact(copy.unusedScopes, <Texts texts={unused} none={copy.none} />),
          fact(copy.allowed.title, <Texts texts={key.allowedAddresses} none={copy.allowed.any} />),
        ]}
      />
      <Section title={copy.clients.title}>
        <p>
          {copy.clients.hint}{" "}
          {logStartsAt && <Sentence text={copy.clients.partial} parts={{ time: <Time value={logStartsAt} /> }} />}
        </p>
        {clients.length > 0 ? (
          <Table
            caption={copy.clients.title}
            columns={columns(shopId, keyId)}
            rows={clients}
            keyOf={({ address, userAgent }) => `${address} ${userAgent}`}
          />
        ) : (
          <p className={text.small}>{key.lastUsedAt ? copy.clients.emptyLog : copy.clients.empty}</p>
        )}
      </Section>
      {isEditing && <AllowedAddressesDialog shopId={shopId} apiKey={key} onClose={() => setEditing(false)} />}
    </Page>
  );
}

const Texts = ({ texts, none }: { texts: readonly string[]; none: string }) =>
  texts.length > 0 ? <Tags tags={texts.map((each) => [each] as const)} /> : none;

/** Whether revoking the key breaks something, and why. */
function Safety({ apiKey: { isSafeToRevoke, lastUsedAt, usage } }: { apiKey: ApiKey }) {
  const [last] = usage.clients;
  // Last uses are written some seconds after the log.
  if (!lastUsedAt && !last) return copy.notUsed;
  const reason = isSafeToRevoke || !last ? copy.unusedFor : copy.usedBy;
  const { agent, address } = nameOf(last);
  return (
    <>
      <Badge tone={isSafeToRevoke ? "good" : "warning"}>{copy.safeAnswers[isSafeToRevoke ? "yes" : "no"]}</Badge>{" "}
      <Sentence text={reason} parts={{ time: <Time value={lastUsedAt ?? last!.lastUsedAt} />, agent, address }} />
    </>
  );
}

type Client = ApiKey["usage"]["clients"][number];

const nameOf = (client?: Client) => ({
  agent: client?.userAgent ?? copy.clients.unknown,
  address: client?.address ?? copy.clients.unknown,
});

const columns = (shopId: string, key: string): Column<Client>[] => [
  {
    title: copy.clients.address,
    cell: (client) => (
      <Link
        to="/$shopId/requests"
        params={{ shopId }}
        search={{ key, address: client.address ?? undefined, agent: client.userAgent ?? undefined }}
      >
        {nameOf(client).address}
      </Link>
    ),
  },
  {
    title: copy.clients.userAgent,
    cell: (client) => (
      <span className={text.clipped} title={nameOf(client).agent}>
        {nameOf(client).agent}
      </span>
    ),
  },
  { title: copy.clients.first, narrow: "labeled", cell: ({ firstUsedAt }) => <Time value={firstUsedAt} /> },
  { title: shared.lastUsed, narrow: "labeled", cell: ({ lastUsedAt }) => <Time value={lastUsedAt} /> },
  { title: copy.clients.requests, ...labeledNumber, cell: ({ requests }) => formatNumber(requests) },
];
