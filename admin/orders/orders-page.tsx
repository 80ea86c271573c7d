import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import text from "../ui/text.module.css";
import { tellMoney } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { oneOf } from "../ui/forms/options.ts";
import { FilterSelects } from "../ui/forms/filter-selects.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/values/periods.ts";
import { Time } from "../ui/values/time.tsx";
import { searchOrders, type OrderRow } from "./order-queries.ts";
import { channelNames, fulfillmentStatuses, OrderBadges, paymentStatuses, statuses } from "./words.tsx";

const INTERVAL = 15_000;

export function OrdersPage() {
  return useShop().may("READ_ORDERS") ? <Orders /> : <NoPermission title="Orders" />;
}

const useFilters = () => useSearch({ from: "/$shopId/orders" });
type Filters = ReturnType<typeof useFilters>;

function Orders() {
  const { id: shopId } = useShop();
  const filters = useFilters();
  return (
    <Page title="Orders" description="What was sold, newest first.">
      <ReadOnly needs="WRITE_ORDERS" noun="orders" />
      <FilterBar filters={filters} />
      <List
        caption="Orders"
        filters={filters}
        interval={INTERVAL}
        read={(after, options) => searchOrders(shopId, readFilters(filters), after, options)}
        columns={orderColumns(shopId)}
        empty={
          Object.values(filters).some(Boolean) ? (
            <Empty title="No order matches">
              Search by a whole order number, receipt number or e-mail address, or change the filters.
            </Empty>
          ) : (
            <Empty title="No orders yet">Orders of the till and of the storefront appear here by themselves.</Empty>
          )
        }
      />
    </Page>
  );
}

function FilterBar({ filters }: { filters: Filters }) {
  const navigate = useNavigate({ from: "/$shopId/orders" });
  const change = useCallback(
    (changed: Filters) => void navigate({ search: (old) => ({ ...old, ...changed }), replace: true }),
    [navigate],
  );
  const onSearch = useCallback((search: string | undefined) => change({ search }), [change]);
  return (
    <Toolbar>
      <SearchField label="Order, receipt or whole e-mail address" value={filters.search} onChange={onSearch} />
      <FilterSelects selects={selects} chosen={filters} onChange={change} />
    </Toolbar>
  );
}

const selects = [
  { name: "payment", label: "Payment", none: "Any payment", options: paymentStatuses },
  { name: "fulfillment", label: "Hand-over", none: "Any hand-over", options: fulfillmentStatuses },
  { name: "status", label: "Status", none: "Any status", options: statuses },
  { name: "since", label: "Placed", none: "Any time", options: periods },
] as const;

/** The filters that an address asks for, as far as they exist. */
function readFilters({ search, status, payment, fulfillment, since }: Filters) {
  return {
    search,
    status: oneOf(statuses, status),
    paymentStatus: oneOf(paymentStatuses, payment),
    fulfillmentStatus: oneOf(fulfillmentStatuses, fulfillment),
    createdSince: beginOf(since),
  };
}

export const orderColumns = (shopId: string): Column<OrderRow>[] => [
  {
    title: "Order",
    cell: ({ id, orderNumber, receiptNumber }) => (
      <>
        <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId: id }} className={text.link}>
          #{orderNumber}
        </Link>
        {receiptNumber && <span className={text.under}>{receiptNumber}</span>}
      </>
    ),
  },
  {
    title: "Placed",
    cell: ({ createdAt, channel }) => (
      <>
        <Time value={createdAt} />
        <span className={text.under}>{channelNames[channel]}</span>
      </>
    ),
  },
  { title: "Customer", cell: ({ customer }) => customer?.email ?? <span className={text.soft}>Walk-in</span> },
  { title: "State", cell: (order) => <OrderBadges order={order} /> },
  { title: "Total", isNumber: true, cell: ({ totalAmount, currency }) => tellMoney(totalAmount, currency) },
];
