import { Link } from "@tanstack/react-router";
import { useFilters } from "../records/filters.ts";
import { List, NoRows } from "../records/list.tsx";
import { RecordLink } from "../records/record-link.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { Select } from "../ui/forms/select.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/forms/periods.ts";
import { Time } from "../ui/values/time.tsx";
import { actionLabels, actionsOf, areas, type Area } from "./areas.ts";
import { readAuditLog, type AuditEntry } from "./audit-queries.ts";
import { Detail } from "./detail.tsx";
import styles from "./audit.module.css";
import text from "../ui/text.module.css";
import { copy } from "./copy.ts";

export function AuditPage() {
  const [filters, change] = useFilters();
  return (
    <Page title={copy.title} description={copy.description}>
      <Toolbar>
        <Select
          label={copy.filters.area}
          none={copy.filters.anyArea}
          value={oneOf(areas, filters.action)}
          options={areas}
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
      <List
        caption={copy.title}
        filters={filters}
        read={(page, options) => readAuditLog({ ...page, ...readFilters(filters) }, options)}
        columns={columns}
        empty={<NoRows isFiltered={Object.values(filters).some(Boolean)} copy={copy} />}
      />
    </Page>
  );
}

/** Reads the filters from the address and ignores unknown values. */
function readFilters({ action, actor, target, since }: ReturnType<typeof useFilters>[0]) {
  const area = oneOf<Area>(areas, action);
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
