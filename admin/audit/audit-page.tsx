import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { List, NoRows, useFilters } from "../records/list.tsx";
import { IdLink, isId, RecordLink } from "../records/record-link.tsx";
import { useShop } from "../queries.ts";
import { Button } from "../ui/button.tsx";
import { fact, Facts, Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { FilterSelects, oneOf } from "../ui/forms/select.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/forms/periods.ts";
import { formatMoney } from "../ui/values/money.ts";
import { ExactTime, Time } from "../ui/values/time.tsx";
import { readAuditLog, type AuditAction, type AuditEntry } from "./audit-queries.ts";
import text from "../ui/text.module.css";
import styles from "./audit.module.css";
import { copy } from "./copy.ts";

export function AuditPage() {
  const [filters, change] = useFilters();
  return (
    <Page title={copy.title} description={copy.description}>
      <Toolbar>
        <SearchField label={copy.search} value={filters.search} onChange={(search) => change({ search })} />
        <FilterSelects selects={selects} chosen={filters} onChange={change} />
        {filters.actor && <Button onClick={() => change({ actor: undefined })}>{copy.filters.clearActor}</Button>}
        {filters.target && <Button onClick={() => change({ target: undefined })}>{copy.filters.clearTarget}</Button>}
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        read={(page, options) => readAuditLog({ ...page, ...readFilters(filters) }, options)}
        columns={columns}
        detail={(entry) => <Details entry={entry} />}
        empty={<NoRows isFiltered={Object.values(filters).some(Boolean)} copy={copy} />}
      />
    </Page>
  );
}

/** Reads the filters from the address and ignores unknown values. */
function readFilters({ search, action, actor, target, since }: ReturnType<typeof useFilters>[0]) {
  const area = oneOf<Area>(areas, action);
  return {
    search,
    searchActions: search ? labeledActions(search) : undefined,
    actions: area && actionsOf(area),
    actorId: actor,
    targetId: target,
    createdSince: beginOf(since),
  };
}

const columns: Column<AuditEntry>[] = [
  { title: copy.columns.action, cell: ({ action }) => <span className={text.name}>{actionLabels[action]}</span> },
  {
    title: copy.columns.change,
    narrow: "hidden",
    cell: ({ details }) => (
      <div className={styles.change}>
        {changesOf(details).map((change, index) => (
          <Fragment key={change.name}>
            {index > 0 && ", "}
            {copy.detail(labelOf(change.name))} <Values change={change} />
          </Fragment>
        ))}
      </div>
    ),
  },
  {
    title: copy.columns.target,
    cell: ({ targetId, targetName }) => (
      <span className={styles.name} title={targetName}>
        <RecordLink id={targetId}>{nameOf(targetId, targetName)}</RecordLink>
      </span>
    ),
  },
  { title: copy.columns.actor, cell: (entry) => <Actor entry={entry} /> },
  { title: copy.columns.time, narrow: "end", cell: ({ createdAt }) => <Time value={createdAt} /> },
];

function Actor({ entry: { actorId, actorKind, actorName } }: { entry: AuditEntry }) {
  const name = actorName ?? copy.actors[actorKind];
  return (
    <span className={styles.name} title={name}>
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
    </span>
  );
}

/** Everything about an entry, below its row. */
function Details({ entry }: { entry: AuditEntry }) {
  const { targetId, targetName, createdAt, address, userAgent } = entry;
  return (
    <Facts
      facts={[
        ...changesOf(entry.details).map((change) => fact(labelOf(change.name), <Values change={change} isWhole />)),
        fact(
          copy.record,
          <>
            {isId(targetId) ? <IdLink id={targetId} /> : targetName}{" "}
            <Link
              from="/$shopId/audit"
              to="."
              search={(old) => ({ ...old, target: targetId })}
              aria-label={copy.historyOf(targetName)}
            >
              {copy.history}
            </Link>
          </>,
        ),
        fact(copy.time, <ExactTime value={createdAt} />),
        ...(address ? [fact(copy.origin, address)] : []),
        ...(userAgent ? [fact(copy.browser, userAgent)] : []),
      ]}
    />
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

const selects = [
  { name: "action", label: copy.filters.area, none: copy.filters.anyArea, options: areas },
  { name: "since", label: copy.filters.time, none: copy.filters.anyTime, options: periods },
] as const;

const actionsOf = (area: Area) => Object.keys(copy.areas[area].actions) as AuditAction[];

const actionLabels: Record<AuditAction, string> = Object.assign(
  {},
  ...Object.values(copy.areas).map(({ actions }) => actions),
);

/** The actions whose label contains each word. */
function labeledActions(search: string): AuditAction[] {
  const words = search.toLowerCase().split(/\s+/);
  const labels = Object.entries(actionLabels) as [AuditAction, string][];
  return labels
    .filter(([, label]) => words.every((word) => label.toLowerCase().includes(word)))
    .map(([action]) => action);
}

const TIME = /^\d{4}-\d\d-\d\dT/;

/** Details that are sums of money in the shop's currency. */
const AMOUNTS = new Set(["amount", "price", "forfeitedStoreCredit"]);
const AMOUNT = /^-?\d+(\.\d+)?$/;

/** The names of orders are their numbers. */
const nameOf = (id: string, name: string) => (id.startsWith("ord_") ? copy.order(name) : name);

interface Change {
  name: string;
  /** Undefined for what has no old value. */
  old?: string | undefined;
  value: string;
}

/** The details of an entry, with the old value of each beside its new one. */
function changesOf(details: AuditEntry["details"]): Change[] {
  const values = new Map(details.map(({ name, value }) => [name, value]));
  const oldNameOf = (name: string) => (name === "to" ? "from" : `old${name.charAt(0).toUpperCase()}${name.slice(1)}`);
  const old = new Set(details.map(({ name }) => oldNameOf(name)));
  const shown = details.filter(({ name }) => !old.has(name));
  return shown.flatMap(({ name, value }) => {
    // Fields whose values are shown need no list.
    const rest = name === "fields" ? value.split(", ").filter((field) => !values.has(field)) : [value];
    return rest.length === 0 ? [] : [{ name, old: values.get(oldNameOf(name)), value: rest.join(", ") }];
  });
}

const labelOf = (name: string) => copy.details[name] ?? sentenceCase(name);

/** The old value and the new one, such as "3.00 → 0.50". */
function Values({ change: { name, old, value }, isWhole = false }: { change: Change; isWhole?: boolean }) {
  return (
    <>
      {old !== undefined && old !== value && (
        <>
          <Value name={name} value={old} isWhole={isWhole} /> {copy.becomes}{" "}
        </>
      )}
      <Value name={name} value={value} isWhole={isWhole} />
    </>
  );
}

function Value({ name, value, isWhole }: { name: string; value: string; isWhole: boolean }) {
  const { currency } = useShop();
  if (value === "") return copy.none;
  if (AMOUNTS.has(name) && AMOUNT.test(value)) return formatMoney(value, currency);
  if (TIME.test(value)) return <ExactTime value={value} />;
  if (isId(value)) return isWhole ? <IdLink id={value} /> : <code>{value}</code>;
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
