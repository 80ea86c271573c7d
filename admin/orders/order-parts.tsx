import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { By } from "../records/by.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { isPositive, negate, tellMoney, tellNumber } from "../ui/values/money.ts";
import { Section } from "../ui/page.tsx";
import { Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import type { Order, OrderLine, Payment } from "./order-queries.ts";
import { expectedAmount, isExpected, leftToPay, paidAmount } from "./order-sums.ts";
import { nameLine } from "./unit-fields.tsx";
import { methodNames, PaymentBadge } from "./words.tsx";

/** The lines that were sold, with the whereabouts of their units. */
export function Lines({ order }: { order: Order }) {
  const { id: shopId } = useShop();
  return (
    <Table caption="Lines" columns={lineColumns(shopId, order.currency)} rows={order.items} keyOf={({ id }) => id} />
  );
}

const lineColumns = (shopId: string, currency: string): Column<OrderLine>[] => [
  {
    title: "Item",
    cell: (line) => (
      <>
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: line.productId }} className={text.link}>
          {nameLine(line)}
        </Link>
        {line.sku && <span className={text.under}>{line.sku}</span>}
      </>
    ),
  },
  { title: "Price", isNumber: true, cell: ({ unitPrice }) => tellMoney(unitPrice, currency) },
  {
    title: "Units",
    isNumber: true,
    cell: (line) => (
      <>
        {tellNumber(line.quantity)}
        {line.fulfilledQuantity > 0 && (
          <span className={text.under}>{tellNumber(line.fulfilledQuantity)} handed over</span>
        )}
        {line.refundedQuantity > 0 && (
          <span className={text.under}>{tellNumber(line.refundedQuantity)} given back</span>
        )}
      </>
    ),
  },
  { title: "Total", isNumber: true, cell: ({ totalAmount }) => tellMoney(totalAmount, currency) },
];

export function Totals({ order }: { order: Order }) {
  const left = leftToPay(order);
  const expected = expectedAmount(order);
  const isOwed = order.status === "CONFIRMED" && isPositive(left) && !isPositive(order.refundedAmount);
  const sums = [
    ["Subtotal", order.subtotalAmount],
    ...(isPositive(order.discountAmount) ? [["Discount", negate(order.discountAmount)] as const] : []),
    ["Tax", order.taxAmount],
    ["Total", order.totalAmount],
    ["Paid", paidAmount(order)],
    ...(isPositive(expected) ? [["On its way", expected] as const] : []),
    ...(isPositive(order.refundedAmount) ? [["Refunded", negate(order.refundedAmount)] as const] : []),
    ...(isOwed ? [["Left to pay", left] as const] : []),
  ] as const;
  return (
    <dl className={styles.totals}>
      {sums.map(([name, amount]) => (
        <div key={name} className={name === "Total" || name === "Left to pay" ? styles.strong : undefined}>
          <dt>{name}</dt>
          <dd>{tellMoney(amount, order.currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The payments. Those on their way can be settled where `onSettle` is given. */
export function Payments({ order, onSettle }: { order: Order; onSettle: ((payment: Payment) => void) | undefined }) {
  const columns = paymentColumns(order.currency, order.payments.some(isExpected) ? onSettle : undefined);
  return (
    <Section title="Payments">
      {order.payments.length > 0 ? (
        <Table caption="Payments" columns={columns} rows={order.payments} keyOf={({ id }) => id} />
      ) : (
        <p className={text.soft}>Nothing was paid yet.</p>
      )}
    </Section>
  );
}

const paymentColumns = (currency: string, onSettle: ((payment: Payment) => void) | undefined): Column<Payment>[] => [
  {
    title: "Paid by",
    cell: ({ method, reference }) => (
      <>
        {methodNames[method]}
        {reference && <span className={text.under}>{reference}</span>}
      </>
    ),
  },
  { title: "State", cell: ({ status }) => <PaymentBadge status={status} /> },
  {
    title: "When",
    cell: ({ processedAt, actorName }) => (
      <>
        {processedAt ? <Time value={processedAt} /> : "–"}
        <By name={actorName} />
      </>
    ),
  },
  {
    title: "Amount",
    isNumber: true,
    cell: ({ amount, refundedAmount }) => (
      <>
        {tellMoney(amount, currency)}
        {isPositive(refundedAmount) && (
          <span className={text.under}>{tellMoney(refundedAmount, currency)} given back</span>
        )}
      </>
    ),
  },
  ...(onSettle
    ? [
        {
          title: "",
          cell: (payment: Payment) => isExpected(payment) && <Button onClick={() => onSettle(payment)}>Settle</Button>,
        },
      ]
    : []),
];

/** The refunds, if there are any. */
export function Refunds({ order }: { order: Order }) {
  if (order.refunds.length === 0) return null;
  return (
    <Section title="Refunds">
      <Table caption="Refunds" columns={refundColumns(order)} rows={order.refunds} keyOf={({ id }) => id} />
    </Section>
  );
}

function refundColumns(order: Order): Column<Order["refunds"][number]>[] {
  const names = new Map(order.items.map((line) => [line.id, nameLine(line)]));
  return [
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
      title: "Units",
      cell: ({ items }) =>
        items.length === 0
          ? "–"
          : items.map(({ itemId, quantity, restocked }) => (
              <div key={itemId}>
                {tellNumber(quantity)} × {names.get(itemId)}
                {!restocked && <span className={text.under}>not back into stock</span>}
              </div>
            )),
    },
    { title: "Reason", cell: ({ reason }) => reason ?? "–" },
    { title: "Amount", isNumber: true, cell: ({ amount }) => tellMoney(amount, order.currency) },
  ];
}
