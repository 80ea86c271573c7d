import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { PlusIcon } from "../ui/icons.tsx";
import { tellMoney, tellNumber } from "../ui/values/money.ts";
import { Page, Toolbar } from "../ui/page.tsx";
import { SearchField } from "../ui/forms/search-field.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreateCustomerDialog } from "./customer-dialogs.tsx";
import { listCustomers, nameCustomer, type CustomerRow } from "./customer-queries.ts";

export function CustomersPage() {
  return useShop().may("READ_CUSTOMERS") ? <Customers /> : <NoPermission title="Customers" />;
}

function Customers() {
  const { id: shopId, currency, may } = useShop();
  const { search } = useSearch({ from: "/$shopId/customers" });
  const navigate = useNavigate({ from: "/$shopId/customers" });
  const [isCreating, setCreating] = useState(false);
  const onSearch = useCallback(
    (searched: string | undefined) => void navigate({ search: { search: searched }, replace: true }),
    [navigate],
  );
  const create = may("WRITE_CUSTOMERS") && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <PlusIcon /> Create customer
    </Button>
  );
  return (
    <Page title="Customers" description="Who buys from the shop, newest first." action={create}>
      <ReadOnly needs="WRITE_CUSTOMERS" noun="customers" />
      <Toolbar>
        <SearchField label="Name, e-mail address or phone" value={search} onChange={onSearch} />
      </Toolbar>
      <List
        caption="Customers"
        filters={{ search }}
        read={(after, options) => listCustomers(shopId, search, after, options)}
        columns={columns(shopId, currency)}
        empty={
          search ? (
            <Empty title="No customer matches">Every word of a search must match. Change the search above.</Empty>
          ) : (
            <Empty title="No customers yet" action={create}>
              Customers of the shop appear here. Walk-in sales need no customer.
            </Empty>
          )
        }
      />
      {isCreating && <CreateCustomerDialog onClose={() => setCreating(false)} />}
    </Page>
  );
}

const columns = (shopId: string, currency: string): Column<CustomerRow>[] => [
  {
    title: "Customer",
    cell: (customer) => (
      <>
        <Link to="/$shopId/customers/$customerId" params={{ shopId, customerId: customer.id }} className={text.link}>
          {nameCustomer(customer)}
        </Link>
        <span className={text.under}>{customer.email}</span>
      </>
    ),
  },
  { title: "Phone", cell: ({ phone }) => phone ?? "–" },
  { title: "Since", cell: ({ createdAt }) => <Time value={createdAt} /> },
  { title: "Orders", isNumber: true, cell: ({ orderCount }) => tellNumber(orderCount) },
  {
    title: "Store credit",
    isNumber: true,
    cell: ({ storeCreditBalance }) => tellMoney(storeCreditBalance, currency),
  },
];
