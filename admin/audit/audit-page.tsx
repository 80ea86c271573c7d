import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { sayConstant } from "../shell/words.ts";
import { List } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { Page, Toolbar } from "../ui/page.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { Select } from "../ui/forms/select.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/values/periods.ts";
import { Time } from "../ui/values/time.tsx";
import { areas, options, type Area } from "./areas.ts";
import { readAuditLog, type AuditEntry } from "./audit-queries.ts";
import styles from "./audit.module.css";
import text from "../ui/text.module.css";

const kinds = { OPERATOR: "An operator", SERVICE: "A service", STAFF: "Somebody", SYSTEM: "The server itself" };

export function AuditPage() {
  return useShop().may("SETTINGS") ? <AuditLog /> : <NoPermission title="Audit log" />;
}

const useFilters = () => useSearch({ from: "/$shopId/audit" });
type Filters = ReturnType<typeof useFilters>;

function AuditLog() {
  const { id: shopId } = useShop();
  const filters = useFilters();
  const isFiltered = Object.values(filters).some(Boolean);
  return (
    <Page
      title="Audit log"
      description="Who did what, when and from where: to settings, credentials, staff, orders, customers and products; and who logged in."
    >
      <FilterBar filters={filters} />
      <List
        caption="Audit log"
        filters={filters}
        read={readAuditLog(shopId, readFilters(filters))}
        columns={columns}
        empty={
          isFiltered ? (
            <Empty title="No entry matches">Change or clear the filters above.</Empty>
          ) : (
            <Empty title="Nothing was done yet">Changes appear here as they are made.</Empty>
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
        label="What"
        none="Anything"
        value={oneOf(options, filters.action)}
        options={options}
        onChange={(action) => change({ action })}
      />
      <Select
        label="When"
        none="Any time"
        value={oneOf(periods, filters.since)}
        options={periods}
        onChange={(since) => change({ since })}
      />
      {filters.actor && <Button onClick={() => change({ actor: undefined })}>By one caller: show all</Button>}
      {filters.target && <Button onClick={() => change({ target: undefined })}>To one record: show all</Button>}
    </Toolbar>
  );
}

/** The filters that an address asks for, as far as they exist. */
function readFilters({ action, actor, target, since }: Filters) {
  const area = oneOf<Area>(options, action);
  return {
    actions: area && [...areas[area].actions],
    actorId: actor,
    targetId: target,
    createdSince: beginOf(since),
  };
}

const columns: Column<AuditEntry>[] = [
  { title: "Action", cell: ({ action }) => <span className={text.name}>{sayAction(action)}</span> },
  { title: "What", cell: (entry) => <Target entry={entry} /> },
  { title: "Who", cell: (entry) => <Actor entry={entry} /> },
  { title: "When", cell: ({ createdAt }) => <Time value={createdAt} /> },
];

const sayAction = (action: string) => sayConstant(action).replace(/^Api /, "API ");

function Target({ entry: { targetId, targetName, details } }: { entry: AuditEntry }) {
  return (
    <>
      <Link
        from="/$shopId/audit"
        to="."
        search={(old) => ({ ...old, target: targetId })}
        className={styles.link}
        title="Show only what was done to it"
      >
        {targetName}
      </Link>
      {details.map(({ name, value }) => (
        <span key={name} className={text.under}>
          {name}: {value}
        </span>
      ))}
    </>
  );
}

function Actor({ entry: { actorId, actorKind, actorName, address, userAgent } }: { entry: AuditEntry }) {
  const name = actorName ?? kinds[actorKind];
  return (
    <>
      {actorId ? (
        <Link
          from="/$shopId/audit"
          to="."
          search={(old) => ({ ...old, actor: actorId })}
          className={styles.link}
          title="Show only what they did"
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
