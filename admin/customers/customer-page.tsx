import { useMutation, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { listOrders } from "../orders/order-queries.ts";
import { orderColumns } from "../orders/orders-page.tsx";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { List } from "../records/list.tsx";
import { BackLink } from "../records/back-link.tsx";
import { changeColumn, labelCustomer, ReadOnly } from "../records/labels.tsx";
import { Metadata } from "../records/metadata.tsx";
import { RecordLayout } from "../records/record-layout.tsx";
import layout from "../ui/layout.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { Breakable } from "../ui/sentence.tsx";
import { Copyable } from "../ui/values/copy-button.tsx";
import { formatMoney, formatNumber, isPositive } from "../ui/values/money.ts";
import { fact, Page, Section } from "../ui/page.tsx";
import { toast } from "../ui/toasts.tsx";
import { endNumber, Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import { CreditDialog, EditCustomerDialog, EraseCustomerDialog } from "./customer-dialogs.tsx";
import { customerQuery, ExportCustomer, UpdateCustomer, type CreditEntry, type Customer } from "./customer-queries.ts";
import { copy as orderCopy } from "../orders/copy.ts";
import { copy } from "./copy.ts";

export function CustomerPage() {
  const { id: shopId, can, role } = useShop();
  const { customerId } = useParams({ from: "/$shopId/customers/$customerId" });
  const { data: customer } = useSuspenseQuery(customerQuery(shopId, customerId));
  const [isEditing, setEditing] = useState(false);
  const [isErasing, setErasing] = useState(false);
  const exported = useMutation({
    mutationFn: () => request(ExportCustomer, { shopId, id: customerId }),
    gcTime: 0,
    onSuccess: ({ exportCustomer: json }) => {
      saveFile(copy.export.file(customerId), json);
      toast(copy.export.done);
    },
    onError: (error) => toast(error.message),
  });
  const mayChange = can("WRITE_CUSTOMERS") && !customer.erasedAt;
  const actions = (
    <div className={layout.actions}>
      {can("SETTINGS") && (
        <Button busy={exported.isPending} onClick={() => exported.mutate()}>
          {copy.export.open}
        </Button>
      )}
      {mayChange && role !== "CLERK" && <Button onClick={() => setErasing(true)}>{copy.erase.open}</Button>}
      {mayChange && (
        <Button variant="primary" onClick={() => setEditing(true)}>
          {copy.edit}
        </Button>
      )}
    </div>
  );
  return (
    <Page
      title={labelCustomer(customer)}
      description={<Breakable text={customer.email} />}
      back={<BackLink to="/$shopId/customers" title={copy.title} />}
      action={actions}
    >
      <ReadOnly needs="WRITE_CUSTOMERS" noun={copy.readOnly} />
      <RecordLayout
        details={copy.details}
        facts={listFacts(customer)}
        note={{ title: copy.note, text: customer.note, none: copy.noNote }}
        hint={<Metadata record={customer} document={UpdateCustomer} canWrite={mayChange} />}
      >
        {can("READ_ORDERS") && <Orders customer={customer} />}
        <StoreCredit customer={customer} />
      </RecordLayout>
      {isEditing && <EditCustomerDialog customer={customer} onClose={() => setEditing(false)} />}
      {isErasing && <EraseCustomerDialog customer={customer} onClose={() => setErasing(false)} />}
    </Page>
  );
}

function saveFile(name: string, json: string) {
  const url = URL.createObjectURL(new Blob([json], { type: "application/json" }));
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  URL.revokeObjectURL(url);
}

function Orders({ customer }: { customer: Customer }) {
  const { id: shopId } = useShop();
  return (
    <Section title={copy.orders}>
      <List
        caption={copy.ordersCaption}
        filters={{ customerId: customer.id }}
        read={(page, options) => listOrders({ ...page, customerId: customer.id }, options)}
        columns={orderColumns(shopId).filter(({ title }) => title !== orderCopy.columns.customer)}
        empty={<p className={text.soft}>{copy.noOrders}</p>}
      />
    </Section>
  );
}

function StoreCredit({ customer }: { customer: Customer }) {
  const { id: shopId, currency, can } = useShop();
  const [change, setChange] = useState<"grant" | "spend">();
  const entries = customer.storeCreditEntries;
  const actions = can("WRITE_CUSTOMERS") && (
    <div className={layout.actions}>
      {!customer.erasedAt && <Button onClick={() => setChange("grant")}>{copy.credit.grant}</Button>}
      {isPositive(customer.storeCreditBalance) && (
        <Button onClick={() => setChange("spend")}>{copy.credit.spend}</Button>
      )}
    </div>
  );
  return (
    <Section title={copy.credit.title(formatMoney(customer.storeCreditBalance, currency))} action={actions}>
      {entries.length > 0 ? (
        <Table
          caption={copy.credit.caption}
          columns={columns(shopId, currency)}
          rows={entries}
          keyOf={({ id }) => id}
        />
      ) : (
        <p className={text.soft}>{copy.credit.none}</p>
      )}
      {change && <CreditDialog customer={customer} isSpent={change === "spend"} onClose={() => setChange(undefined)} />}
    </Section>
  );
}

const listFacts = (customer: Customer) => [
  fact(copy.email, <Breakable text={customer.email} />),
  fact(copy.phone, customer.phone ?? "–"),
  fact(copy.orderCount, formatNumber(customer.orderCount)),
  fact(copy.added, <Time value={customer.createdAt} />),
  ...(customer.erasedAt ? [fact(copy.erase.at, <Time value={customer.erasedAt} />)] : []),
  fact(copy.id, <Copyable text={customer.id} label={copy.copyId} />),
];

const columns = (shopId: string, currency: string): Column<CreditEntry>[] => [
  changeColumn(copy.credit.date),
  {
    title: copy.credit.reason,
    cell: ({ reason, orderId, orderNumber }) => (
      <>
        {reason}{" "}
        {orderId && (
          <Link to="/$shopId/orders/$orderId" params={{ shopId, orderId }}>
            {copy.credit.order(orderNumber!)}
          </Link>
        )}
      </>
    ),
  },
  { title: copy.credit.amount, ...endNumber, cell: ({ amount }) => formatMoney(amount, currency) },
];
