import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { ExportLink } from "../records/file-links.tsx";
import { List, NoRows, readSorting, useFilters } from "../records/list.tsx";
import { labelCustomer, ReadOnly } from "../records/labels.tsx";
import { buttonClass } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { formatMoney } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { FilterSelects, oneOf } from "../ui/forms/select.tsx";
import { endNumber, type Column } from "../ui/table.tsx";
import { beginOf, periods } from "../ui/forms/periods.ts";
import { Time } from "../ui/values/time.tsx";
import { listOrders, type OrderRow } from "./order-queries.ts";
import { fulfillmentStatuses, OrderBadges, paymentStatuses, statuses } from "./labels.tsx";
import { copy } from "./copy.ts";

const INTERVAL = 15_000;

export function OrdersPage() {
  const { id: shopId, can } = useShop();
  const [filters, change] = useFilters();
  const sorting = readSorting(filters, sorts, change);
  const { sort: _sort, order: _order, ...filter } = readFilters(filters, sorting);
  return (
    <Page
      title={copy.title}
      action={
        <div className={layout.actions}>
          <ExportLink list="orders" filter={filter} />
          {can("WRITE_ORDERS") && (
            <Link to="/$shopId/orders/new" params={{ shopId }} className={buttonClass("primary")}>
              <PlusIcon /> {copy.create.action}
            </Link>
          )}
        </div>
      }
    >
      <ReadOnly needs="WRITE_ORDERS" noun={copy.readOnly} />
      <Toolbar>
        <SearchField label={copy.search} value={filters.search} onChange={(search) => change({ search })} />
        <FilterSelects selects={selects} chosen={filters} onChange={change} />
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        interval={INTERVAL}
        read={(page, options) => listOrders({ ...page, ...readFilters(filters, sorting) }, options)}
        columns={orderColumns(shopId)}
        sorting={sorting}
        empty={<NoRows isFiltered={Object.values(filters).some(Boolean)} copy={copy} />}
      />
    </Page>
  );
}

// Home leads to these.
const payments = [
  ["DUE", copy.filters.paymentDue] as const,
  ["OVERPAID", copy.filters.overpaid] as const,
  ...paymentStatuses,
];
const states = [["NOT_CANCELLED", copy.filters.notCancelled] as const, ...statuses];

const selects = [
  { name: "payment", label: copy.filters.payment, none: copy.filters.anyPayment, options: payments },
  {
    name: "fulfillment",
    label: copy.filters.fulfillment,
    none: copy.filters.anyFulfillment,
    options: fulfillmentStatuses,
  },
  { name: "status", label: copy.filters.status, none: copy.filters.anyStatus, options: states },
  { name: "since", label: copy.filters.placed, none: copy.filters.anyTime, options: periods },
] as const;

/** Reads the filters from the address and ignores unknown values. */
function readFilters(
  { search, status, payment, fulfillment, since }: ReturnType<typeof useFilters>[0],
  { by, order }: { by: (typeof sorts)[number]; order: "ASC" | "DESC" },
) {
  return {
    search,
    sort: by,
    order,
    status: oneOf(statuses, status),
    paymentStatus: oneOf(paymentStatuses, payment),
    isPaymentDue: payment === "DUE" ? true : undefined,
    isOverpaid: payment === "OVERPAID" ? true : undefined,
    isCancelled: status === "NOT_CANCELLED" ? false : undefined,
    fulfillmentStatus: oneOf(fulfillmentStatuses, fulfillment),
    createdSince: beginOf(since),
  };
}

/** The first is the default. */
const sorts = ["CREATED_AT", "TOTAL_AMOUNT"] as const;

export const orderColumns = (shopId: string): Column<OrderRow>[] => [
  {
    title: copy.columns.order,
    cell: ({ id, orderNumber, receiptNumber }) => (
      <>
        <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId: id }} className={text.link}>
          {copy.number(orderNumber)}
        </Link>{" "}
        {receiptNumber && <span className={text.small}>{receiptNumber}</span>}
      </>
    ),
  },
  { title: copy.columns.placed, sort: "CREATED_AT", cell: ({ createdAt }) => <Time value={createdAt} /> },
  {
    title: copy.columns.customer,
    cell: ({ customer }) =>
      customer ? (
        <span title={customer.email}>{labelCustomer(customer)}</span>
      ) : (
        <span className={text.soft}>{copy.noCustomer}</span>
      ),
  },
  { title: copy.columns.channel, cell: ({ channel }) => copy.channels[channel] },
  { title: copy.columns.status, cell: (order) => <OrderBadges order={order} /> },
  {
    title: copy.columns.total,
    ...endNumber,
    sort: "TOTAL_AMOUNT",
    cell: ({ totalAmount, currency }) => formatMoney(totalAmount, currency),
  },
];
