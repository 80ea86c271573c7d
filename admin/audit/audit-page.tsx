import { Link } from "@tanstack/react-router";
import { List, NoRows, useFilters } from "../records/list.tsx";
import { IdLink, isId, RecordLink } from "../records/record-link.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf, Select } from "../ui/forms/select.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/forms/periods.ts";
import { ExactTime, Time } from "../ui/values/time.tsx";
import { readAuditLog, type AuditAction, type AuditEntry } from "./audit-queries.ts";
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
          className={text.quiet}
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

type Area = keyof typeof copy.areas;
type KeysOf<Union> = Union extends unknown ? keyof Union : never;
type Labeled = KeysOf<(typeof copy.areas)[Area]["actions"]>;
/** Actions of the schema without a label, and labels without an action. */
type Mismatch = Exclude<AuditAction, Labeled> | Exclude<Labeled, AuditAction>;

/** The areas of the log, as options. It does not compile until each action belongs to an area. */
const areas: Mismatch extends never ? (readonly [Area, string])[] : never = Object.entries(copy.areas).map(
  ([area, { title }]) => [area as Area, title] as const,
);

const actionsOf = (area: Area) => Object.keys(copy.areas[area].actions) as AuditAction[];

const actionLabels: Record<AuditAction, string> = Object.assign(
  {},
  ...Object.values(copy.areas).map(({ actions }) => actions),
);

const TIME = /^\d{4}-\d\d-\d\dT/;

/** A detail of an entry in words, such as "Access: read products, write products". */
function Detail({ detail: { name, value } }: { detail: AuditEntry["details"][number] }) {
  return (
    <>
      {copy.detail(copy.details[name] ?? sentenceCase(name))} <Value value={value} />
    </>
  );
}

function Value({ value }: { value: string }) {
  if (TIME.test(value)) return <ExactTime value={value} />;
  if (isId(value)) return <IdLink id={value} />;
  if (value === "true" || value === "false") return copy.booleans[value];
  return value.split(", ").map(inWords).join(", ");
}

/** Names of the API in words: read_products, CAPTURED, firstName. Other texts stay as they are. */
const inWords = (word: string) =>
  /^([a-z]+_[a-z_]+|[A-Z][A-Z_]{3,}|[a-z]+([A-Z][a-z]+)+)$/.test(word) ? sentenceCase(word).toLowerCase() : word;

function sentenceCase(name: string): string {
  const words = name
    .replaceAll("_", " ")
    .replaceAll(/(?<=[a-z])(?=[A-Z])/g, " ")
    .toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}
