import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { Badge } from "../ui/values/badge.tsx";
import { ListFrame } from "../records/list-frame.tsx";
import { Button } from "../ui/button.tsx";
import { tellNumber } from "../ui/values/money.ts";
import { Page } from "../ui/page.tsx";
import { Empty, Notice, Skeleton } from "../ui/states.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import styles from "./deliveries.module.css";
import text from "../ui/text.module.css";
import { DeliveryDrawer } from "./delivery-drawer.tsx";
import type { DeliveryRow } from "./delivery-queries.ts";
import { FilterBar, useDeliveryFilters } from "./filter-bar.tsx";
import { useDeliveries } from "./use-deliveries.ts";
import { DeliveryBadge } from "./words.tsx";

/** More are not counted. */
const MAX_COUNTED = 10_000;

export function DeliveriesPage() {
  return useShop().may("SETTINGS") ? <Deliveries /> : <NoPermission title="Deliveries" />;
}

function Deliveries() {
  const { id: shopId } = useShop();
  const { delivery } = useSearch({ from: "/$shopId/deliveries" });
  const navigate = useNavigate({ from: "/$shopId/deliveries" });
  const close = () => void navigate({ search: ({ delivery: _, ...old }) => old, replace: true });
  return (
    <Page
      title="Deliveries"
      description="What was sent to your endpoints in the last 30 days, and what is still to be sent."
    >
      <FilterBar shopId={shopId} />
      <List shopId={shopId} />
      {delivery && <DeliveryDrawer shopId={shopId} id={delivery} onClose={close} />}
    </Page>
  );
}

function List({ shopId }: { shopId: string }) {
  const { list, error, rows, added, showAdded } = useDeliveries(shopId, useDeliveryFilters());
  if (!list.data) return <Skeleton />;
  return (
    <ListFrame list={list} count={rows.length > 0 ? sayCount(rows.length, list.data.pages[0]!.total) : ""}>
      {error && <Notice tone="bad">{error.message}</Notice>}
      <div role="status" className={styles.news}>
        {added > 0 && <Button onClick={() => void showAdded()}>Show {tellNumber(added)} new</Button>}
      </div>
      {rows.length === 0 ? (
        <Nothing />
      ) : (
        <Table caption="Deliveries" columns={columns(shopId)} rows={rows} keyOf={({ id }) => id} />
      )}
    </ListFrame>
  );
}

const sayCount = (shown: number, total: number) =>
  `${tellNumber(shown)} of ${total >= MAX_COUNTED ? `more than ${tellNumber(MAX_COUNTED)}` : tellNumber(total)}`;

function Nothing() {
  const { delivery: _, ...filters } = useSearch({ from: "/$shopId/deliveries" });
  return Object.values(filters).some(Boolean) ? (
    <Empty title="No delivery matches">Change the filters above. An event is found by its whole id.</Empty>
  ) : (
    <Empty title="No deliveries yet">When something happens that an endpoint subscribes to, it appears here.</Empty>
  );
}

const columns = (shopId: string): Column<DeliveryRow>[] => [
  {
    title: "Event",
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
        {isTest && <Badge>Test</Badge>}
      </>
    ),
  },
  { title: "State", cell: (delivery) => <DeliveryBadge delivery={delivery} /> },
  {
    title: "Endpoint",
    cell: ({ endpoint, deletedEndpoint }) => (
      <>
        <span className={styles.url}>{(endpoint ?? deletedEndpoint)?.url}</span> {!endpoint && <Badge>Deleted</Badge>}
      </>
    ),
  },
  { title: "Happened", cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: "Next attempt",
    cell: ({ status, nextAttemptAt, waitsFor }) =>
      status === "PENDING" && nextAttemptAt && waitsFor === "SCHEDULE" ? <Time value={nextAttemptAt} /> : "–",
  },
];
