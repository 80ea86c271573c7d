import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { Badge } from "../ui/values/badge.tsx";
import { ListFrame, NoRows, useFilters } from "../records/list.tsx";
import { Button } from "../ui/button.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { Page } from "../ui/page.tsx";
import { Notice, Skeleton } from "../ui/states.tsx";
import { labeledNumber, Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import styles from "./deliveries.module.css";
import text from "../ui/text.module.css";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import type { DeliveryRow } from "./delivery-queries.ts";
import { FilterBar, useDeliveryFilters } from "./filter-bar.tsx";
import { useDeliveries } from "./use-deliveries.ts";
import { DeliveryBadge } from "./labels.tsx";
import { copy } from "./copy.ts";

/** The server counts up to this number. */
const MAX_COUNTED = 10_000;

export function DeliveriesPage() {
  const { id: shopId } = useShop();
  const [{ delivery, ...filters }, change] = useFilters();
  return (
    <Page title={copy.title} description={copy.description}>
      <FilterBar shopId={shopId} />
      <List shopId={shopId} isFiltered={Object.values(filters).some(Boolean)} />
      {delivery && <DeliveryDrawer shopId={shopId} id={delivery} onClose={() => change({ delivery: undefined })} />}
    </Page>
  );
}

function List({ shopId, isFiltered }: { shopId: string; isFiltered: boolean }) {
  const { list, error, rows, added, showAdded } = useDeliveries(shopId, useDeliveryFilters());
  if (!list.data) return <Skeleton />;
  return (
    <ListFrame list={list} count={rows.length > 0 ? formatCount(rows.length, list.data.pages[0]!.total) : ""}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div role="status" className={styles.news}>
        {added > 0 && <Button onClick={() => void showAdded()}>{copy.showNew(formatNumber(added))}</Button>}
      </div>
      {rows.length === 0 ? (
        <NoRows isFiltered={isFiltered} copy={copy} />
      ) : (
        <Table caption={copy.title} columns={columns(shopId)} rows={rows} keyOf={({ id }) => id} />
      )}
    </ListFrame>
  );
}

const formatCount = (shown: number, total: number) =>
  copy.count(
    formatNumber(shown),
    total >= MAX_COUNTED ? copy.moreThan(formatNumber(MAX_COUNTED)) : formatNumber(total),
  );

const columns = (shopId: string): Column<DeliveryRow>[] => [
  {
    title: copy.columns.event,
    cell: ({ id, topic, isTest }) => (
      <>
        <Link
          to="/$shopId/deliveries"
          params={{ shopId }}
          search={(old) => ({ ...old, delivery: id })}
          className={text.link}
        >
          {topic}
        </Link>{" "}
        {isTest && <Badge>{copy.test}</Badge>}
      </>
    ),
  },
  {
    title: copy.columns.eventId,
    narrow: "hidden",
    cell: ({ eventId }) => (
      <code className={text.clipped} title={eventId}>
        {eventId}
      </code>
    ),
  },
  { title: copy.columns.status, cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    title: copy.columns.endpoint,
    cell: ({ endpoint, deletedEndpoint }) => (
      <>
        <Name endpoint={endpoint ?? deletedEndpoint} /> {!endpoint && <Badge>{copy.deleted}</Badge>}
      </>
    ),
  },
  { title: copy.columns.attempts, ...labeledNumber, cell: ({ attemptCount }) => attemptCount },
  { title: copy.columns.created, narrow: "end", cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: copy.columns.nextAttempt,
    narrow: "hidden",
    cell: ({ status, nextAttemptAt, waitsFor }) =>
      status === "PENDING" && nextAttemptAt && waitsFor === "SCHEDULE" ? <Time value={nextAttemptAt} /> : "–",
  },
];

function Name({ endpoint }: { endpoint: { name: string } | null }) {
  return (
    <span className={text.clipped} title={endpoint?.name}>
      {endpoint?.name}
    </span>
  );
}
