import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { RecordLink } from "../records/record-link.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/forms/periods.ts";
import { Time } from "../ui/values/time.tsx";
import { actionLabels, actionsOf, options, type Area } from "./areas.ts";
import { readAuditLog, type AuditEntry } from "./audit-queries.ts";
import { Detail } from "./detail.tsx";
import styles from "./audit.module.css";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

export function AuditPage() {
  return useShop().can("SETTINGS") ? <AuditLog /> : <NoPermission title={copy.title} />;
}

const useFilters = () => useSearch({ from: "/$shopId/audit" });
type Filters = ReturnType<typeof useFilters>;

function AuditLog() {
  const { id: shopId } = useShop();
  const filters = useFilters();
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page title={copy.title} description={copy.description}>
      <FilterBar filters={filters} />
      <List
        caption={copy.title}
        filters={filters}
        read={readAuditLog(shopId, readFilters(filters))}
        columns={columns}
        empty={
          isFiltered ? (
            <Empty title={copy.noMatch.title}>{copy.noMatch.text}</Empty>
          ) : (
            <Empty title={copy.empty.title}>{copy.empty.text}</Empty>
          )
        }
      />
    </Page>
  );
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate({ from: "/$shopId/audit" });
  const change = (changed: Filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true });
  return (
    <Toolbar>
      <Select
        label={copy.filters.area}
        none={copy.filters.anyArea}
        value={oneOf(options, filters.action)}
        options={options}
        onChange={(action) => change({ action })}
      />
      <Select
        label={copy.filters.time}
        none={copy.filters.anyTime}
        value={oneOf(periods, filters.since)}
        options={periods}
        onChange={(since) => change({ since })}
      />
      {filters.actor && <Button onClick={() => change({ actor: undefined })}>{copy.filters.clearActor}</Button>}
      {filters.target && <Button onClick={() => change({ target: undefined })}>{copy.filters.clearTarget}</Button>}
    </Toolbar>
  );
}

/** Reads the filters from the address and ignores unknown values. */
function readFilters({ action, actor, target, since }: Filters) {
  const area = oneOf<Area>(options, action);
  return {
    actions: area && actionsOf(area),
    actorId: actor,
    targetId: target,
    createdSince: beginOf(since),
  };
}

const columns: Column<AuditEntry>[] = [
  { title: copy.columns.action, cell: ({ action }) => <span className={text.name}>{actionLabels[action]}</span> },
  { title: copy.columns.target, cell: (entry) => <Target entry={entry} /> },
  { title: copy.columns.actor, cell: (entry) => <Actor entry={entry} /> },
  { title: copy.columns.time, narrow: "end", cell: ({ createdAt }) => <Time value={createdAt} /> },
];

function Target({ entry: { targetId, targetName, details } }: { entry: AuditEntry }) {
  return (
    <>
      <RecordLink id={targetId}>{targetName}</RecordLink>{" "}
      <Link
        from="/$shopId/audit"
        to="."
        search={(old) => ({ ...old, target: targetId })}
        className={text.small}
        title={copy.onlyThisTarget}
        aria-label={copy.historyOf(targetName)}
      >
        {copy.history}
      </Link>
      {details.map((detail) => (
        <span key={detail.name} className={text.under}>
          <Detail detail={detail} />
        </span>
      ))}
    </>
  );
}

function Actor({ entry: { actorId, actorKind, actorName, address, userAgent } }: { entry: AuditEntry }) {
  const name = actorName ?? copy.actors[actorKind];
  return (
    <>
      {actorId ? (
        <Link
          from="/$shopId/audit"
          to="."
          search={(old) => ({ ...old, actor: actorId })}
          className={styles.link}
          title={copy.onlyThisActor}
        >
          {name}
        </Link>
      ) : (
        name
      )}
      {address && (
        <span className={text.under} title={userAgent ?? undefined}>
          {address}
        </span>
      )}
    </>
  );
}
