import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { listOrders } from "../orders/order-queries.ts";
import { orderColumns } from "../orders/orders-page.tsx";
import { useShop } from "../queries.ts";
import { NoPermission } from "../shell/no-permission.tsx";
import { List } from "../records/list.tsx";
import { ReadOnly } from "../records/read-only.tsx";
import { By } from "../records/by.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { Copyable } from "../ui/values/copy.tsx";
import { isPositive, tellMoney, tellNumber } from "../ui/values/money.ts";
import { fact, Facts, Page, Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreditDialog, EditCustomerDialog } from "./customer-dialogs.tsx";
import { customerQuery, nameCustomer, type CreditEntry, type Customer } from "./customer-queries.ts";

export function CustomerPage() {
  return useShop().may("READ_CUSTOMERS") ? <CustomerDetails /> : <NoPermission title="Customer" />;
}

function CustomerDetails() {
  const { id: shopId, may } = useShop();
  const { customerId } = useParams({ from: "/$shopId/customers/$customerId" });
  const { data: customer } = useSuspenseQuery(customerQuery(shopId, customerId));
  const [isEditing, setEditing] = useState(false);
  const edit = may("WRITE_CUSTOMERS") && (
    <Button look="primary" onClick={() => setEditing(true)}>
      Edit
    </Button>
  );
  return (
    <Page title={nameCustomer(customer)} description={customer.email} action={edit}>
      <ReadOnly needs="WRITE_CUSTOMERS" noun="customers" />
      <div className={styles.split}>
        <div className={styles.column}>
          {may("READ_ORDERS") && <Orders customer={customer} />}
          <StoreCredit customer={customer} />
        </div>
        <Aside customer={customer} />
      </div>
      {isEditing && <EditCustomerDialog customer={customer} onClose={() => setEditing(false)} />}
    </Page>
  );
}

function Orders({ customer }: { customer: Customer }) {
  const { id: shopId } = useShop();
  return (
    <Section title="Orders">
      <List
        caption="Orders of the customer"
        filters={{ customerId: customer.id }}
        read={(after, options) => listOrders(shopId, { customerId: customer.id }, after, options)}
        columns={orderColumns(shopId).filter(({ title }) => title !== "Customer")}
        empty={<p className={text.soft}>No orders yet.</p>}
      />
    </Section>
  );
}

function StoreCredit({ customer }: { customer: Customer }) {
  const { id: shopId, currency, may } = useShop();
  const [change, setChange] = useState<"grant" | "spend">();
  const entries = customer.storeCreditEntries;
  const actions = may("WRITE_CUSTOMERS") && (
    <div className={styles.actions}>
      <Button onClick={() => setChange("grant")}>Grant</Button>
      {isPositive(customer.storeCreditBalance) && <Button onClick={() => setChange("spend")}>Spend</Button>}
    </div>
  );
  return (
    <Section title={`Store credit: ${tellMoney(customer.storeCreditBalance, currency)}`} action={actions}>
      {entries.length > 0 ? (
        <Table caption="Store credit" columns={columns(shopId, currency)} rows={entries} keyOf={({ id }) => id} />
      ) : (
        <p className={text.soft}>Nothing was granted or spent yet.</p>
      )}
      {change && <CreditDialog customer={customer} isSpent={change === "spend"} onClose={() => setChange(undefined)} />}
    </Section>
  );
}

function Aside({ customer }: { customer: Customer }) {
  const facts = [
    fact("E-mail", customer.email),
    fact("Phone", customer.phone ?? "–"),
    fact("Orders", tellNumber(customer.orderCount)),
    fact("Since", <Time value={customer.createdAt} />),
    fact("Identifier", <Copyable text={customer.id} label="Copy the identifier" />),
  ];
  return (
    <div className={styles.column}>
      <section className={styles.card}>
        <h2>About the customer</h2>
        <Facts facts={facts} />
      </section>
      <section className={styles.card}>
        <h2>Note</h2>
        <p className={customer.note ? styles.text : text.soft}>{customer.note ?? "Nothing is noted."}</p>
      </section>
    </div>
  );
}

const columns = (shopId: string, currency: string): Column<CreditEntry>[] => [
  {
    title: "When",
    cell: ({ createdAt, actorName }) => (
      <>
        <Time value={createdAt} />
        <By name={actorName} />
      </>
    ),
  },
  {
    title: "Why",
    cell: ({ reason, orderId }) => (
      <>
        {reason}
        {orderId && (
          <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId }} className={text.under}>
            Its order
          </Link>
        )}
      </>
    ),
  },
  { title: "Amount", isNumber: true, cell: ({ amount }) => tellMoney(amount, currency) },
];
