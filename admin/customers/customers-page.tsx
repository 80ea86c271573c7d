import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { ExportLink, ImportLink } from "../records/file-links.tsx";
import { List, NoRows, readSorting, useFilters } from "../records/list.tsx";
import { labelCustomer, ReadOnly } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { formatMoney, formatNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { endNumber, labeledNumber, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateCustomerDialog } from "./customer-dialogs.tsx";
import { listCustomers, type CustomerRow } from "./customer-queries.ts";
import { copy } from "./copy.ts";

export function CustomersPage() {
  const { id: shopId, currency, can } = useShop();
  const [filters, change] = useFilters();
  const { search } = filters;
  const [isCreating, setCreating] = useState(false);
  const sorting = readSorting(filters, sorts, change);
  const create = can("WRITE_CUSTOMERS") && (
    <>
      <ImportLink to="/$shopId/customers/import" />
      <Button variant="primary" onClick={() => setCreating(true)}>
        <PlusIcon /> {copy.create}
      </Button>
    </>
  );
  const actions = (
    <div className={layout.actions}>
      <ExportLink list="customers" filter={{ search }} />
      {create}
    </div>
  );
  return (
    <Page title={copy.title} action={actions}>
      <ReadOnly needs="WRITE_CUSTOMERS" noun={copy.readOnly} />
      <Toolbar>
        <SearchField label={copy.search} value={search} onChange={(searched) => change({ search: searched })} />
      </Toolbar>
      <List
        caption={copy.title}
        filters={filters}
        read={(page, options) => listCustomers({ ...page, search, sort: sorting.by, order: sorting.order }, options)}
        columns={columns(shopId, currency)}
        sorting={sorting}
        empty={
          <NoRows
            isFiltered={Boolean(search)}
            copy={copy}
            action={create && <div className={layout.actions}>{create}</div>}
          />
        }
      />
      {isCreating && <CreateCustomerDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** The first is the default. */
const sorts = ["CREATED_AT", "LAST_NAME"] as const;

const columns = (shopId: string, currency: string): Column<CustomerRow>[] => [
  {
    title: copy.columns.customer,
    sort: "LAST_NAME",
    cell: (customer) => (
      <Link to="/$shopId/customers/$customerId" params={{ shopId, customerId: customer.id }} className={text.link}>
        {labelCustomer(customer)}
      </Link>
    ),
  },
  { title: copy.columns.email, cell: ({ email }) => email },
  { title: copy.columns.phone, narrow: "hidden", cell: ({ phone }) => phone ?? "–" },
  {
    title: copy.columns.added,
    sort: "CREATED_AT",
    narrow: "hidden",
    cell: ({ createdAt }) => <Time value={createdAt} />,
  },
  { title: copy.columns.orders, ...labeledNumber, cell: ({ orderCount }) => formatNumber(orderCount) },
  {
    title: copy.columns.storeCredit,
    ...endNumber,
    cell: ({ storeCreditBalance }) => formatMoney(storeCreditBalance, currency),
  },
];
