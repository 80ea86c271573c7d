import { Link } from "@tanstack/react-router";
import { useShop } from "../queries.ts";
import { By, changeColumn, labelItem } from "../records/labels.tsx";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Button } from "../ui/button.tsx";
import { isPositive, isZero, negate, formatMoney, formatNumber } from "../ui/values/money.ts";
import { Section } from "../ui/page.tsx";
import { endNumber, labeledNumber, Table, type Column } from "../ui/table.tsx";
import { Time } from "../ui/values/time.tsx";
import type { Order, OrderLine, Payment } from "./order-queries.ts";
import { isLateCapturable, pendingAmount, isPending, outstandingAmount, paidAmount } from "./order-sums.ts";
import { PaymentBadge } from "./labels.tsx";
import { copy } from "./copy.ts";

/** The order's lines with their fulfilled and refunded units. */
export function Lines({ order }: { order: Order }) {
  const { id: shopId } = useShop();
  return (
    <Table
      caption={copy.lines.caption}
      columns={lineColumns(shopId, order.currency)}
      rows={order.items}
      keyOf={({ id }) => id}
    />
  );
}

const lineColumns = (shopId: string, currency: string): Column<OrderLine>[] => [
  {
    title: copy.lines.item,
    cell: (line) => (
      <>
        <Link to="/$shopId/products/$productId" params={{ shopId, productId: line.productId }} className={text.link}>
          {labelItem(line.title, line.variantTitle)}
        </Link>
        {line.sku && <span className={text.under}>{line.sku}</span>}
      </>
    ),
  },
  { title: copy.lines.price, ...labeledNumber, cell: ({ unitPrice }) => formatMoney(unitPrice, currency) },
  {
    title: copy.lines.quantity,
    ...labeledNumber,
    cell: (line) => (
      <>
        {formatNumber(line.quantity)}
        {line.fulfilledQuantity > 0 && (
          <span className={text.under}>{copy.lines.fulfilled(formatNumber(line.fulfilledQuantity))}</span>
        )}
        {line.refundedQuantity > 0 && (
          <span className={text.under}>{copy.lines.refunded(formatNumber(line.refundedQuantity))}</span>
        )}
      </>
    ),
  },
  { title: copy.lines.total, ...endNumber, cell: ({ totalAmount }) => formatMoney(totalAmount, currency) },
];

export function Totals({ order }: { order: Order }) {
  const outstanding = outstandingAmount(order);
  const pending = pendingAmount(order);
  const isDue = order.status === "CONFIRMED" && isPositive(outstanding) && !isPositive(order.refundedAmount);
  const sums = [
    ...partsOf(order),
    ...(isZero(order.roundingAmount) ? [] : [[copy.totals.rounding, order.roundingAmount] as const]),
    [copy.totals.total, order.totalAmount],
    [copy.totals.paid, paidAmount(order)],
    ...(isPositive(pending) ? [[copy.totals.pending, pending] as const] : []),
    ...(isPositive(order.refundedAmount) ? [[copy.totals.refunded, negate(order.refundedAmount)] as const] : []),
    ...(isDue ? [[copy.totals.due, outstanding] as const] : []),
    ...(isPositive(order.overpaidAmount) ? [[copy.totals.overpaid, order.overpaidAmount] as const] : []),
  ] as const;
  const strong = [copy.totals.total, copy.totals.due, copy.totals.overpaid];
  return <Sums currency={order.currency} sums={sums} strong={strong} />;
}

export type Priced = Record<"subtotalAmount" | "discountAmount" | "taxAmount", string> & { pricesIncludeTax: boolean };

/** What the total of an order or a quote consists of, before rounding. */
export const partsOf = ({ subtotalAmount, discountAmount, taxAmount, pricesIncludeTax }: Priced) => [
  [copy.totals.subtotal, subtotalAmount] as const,
  ...(isPositive(discountAmount) ? [[copy.totals.discount, negate(discountAmount)] as const] : []),
  [pricesIncludeTax ? copy.totals.taxIncluded : copy.totals.taxAdded, taxAmount] as const,
];

interface SumsProps {
  currency: string;
  sums: readonly (readonly [name: string, amount: string])[];
  /** The names of the sums that stand out. */
  strong: readonly string[];
}

export function Sums({ currency, sums, strong }: SumsProps) {
  return (
    <dl className={styles.totals}>
      {sums.map(([name, amount]) => (
        <div key={name} className={strong.includes(name) ? styles.strong : undefined}>
          <dt>{name}</dt>
          <dd>{formatMoney(amount, currency)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** The order's payments. Pending ones can be settled if `onSettle` is given. */
export function Payments({ order, onSettle }: { order: Order; onSettle: ((payment: Payment) => void) | undefined }) {
  const columns = paymentColumns(order, onSettle);
  return (
    <Section title={copy.paymentList.title}>
      {order.payments.length > 0 ? (
        <Table caption={copy.paymentList.title} columns={columns} rows={order.payments} keyOf={({ id }) => id} />
      ) : (
        <p className={text.soft}>{copy.paymentList.none}</p>
      )}
    </Section>
  );
}

const paymentColumns = (order: Order, onSettle: ((payment: Payment) => void) | undefined): Column<Payment>[] => [
  {
    title: copy.paymentList.method,
    cell: ({ method, reference }) => (
      <>
        {copy.methods[method]}
        {reference && <span className={text.under}>{reference}</span>}
      </>
    ),
  },
  {
    title: copy.paymentList.status,
    cell: ({ status, isLateCapture }) => (
      <>
        <PaymentBadge status={status} />
        {isLateCapture && <span className={text.under}>{copy.paymentList.late}</span>}
      </>
    ),
  },
  {
    title: copy.paymentList.date,
    cell: ({ processedAt, actorName }) => (
      <>
        {processedAt ? <Time value={processedAt} /> : "–"} <By name={actorName} />
      </>
    ),
  },
  {
    title: copy.paymentList.amount,
    ...endNumber,
    cell: ({ amount, tendered, change, refundedAmount }) => (
      <>
        {formatMoney(amount, order.currency)}
        {tendered && (
          <span className={text.under}>
            {copy.paymentList.cash(formatMoney(tendered, order.currency), formatMoney(change!, order.currency))}
          </span>
        )}
        {isPositive(refundedAmount) && (
          <span className={text.under}>{copy.paymentList.refunded(formatMoney(refundedAmount, order.currency))}</span>
        )}
      </>
    ),
  },
  ...(onSettle && order.payments.some((payment) => isPending(payment) || isLateCapturable(payment))
    ? [
        {
          title: "",
          cell: (payment: Payment) =>
            (isPending(payment) || isLateCapturable(payment)) && (
              <Button onClick={() => onSettle(payment)}>
                {isPending(payment) ? copy.paymentList.settle : copy.paymentList.captureLate}
              </Button>
            ),
        },
      ]
    : []),
];

/** The order's refunds; nothing without any. */
export function Refunds({ order }: { order: Order }) {
  if (order.refunds.length === 0) return null;
  return (
    <Section title={copy.refundList.title}>
      <Table
        caption={copy.refundList.title}
        columns={refundColumns(order)}
        rows={order.refunds}
        keyOf={({ id }) => id}
      />
    </Section>
  );
}

function refundColumns(order: Order): Column<Order["refunds"][number]>[] {
  const names = new Map(order.items.map((line) => [line.id, labelItem(line.title, line.variantTitle)]));
  return [
    changeColumn(copy.refundList.date),
    {
      title: copy.refundList.items,
      cell: ({ items }) =>
        items.length === 0
          ? "–"
          : items.map(({ itemId, quantity, restocked }) => (
              <div key={itemId}>
                {copy.refundList.line(formatNumber(quantity), names.get(itemId)!)}
                {!restocked && <span className={text.under}>{copy.refundList.notRestocked}</span>}
              </div>
            )),
    },
    { title: copy.refundList.reason, cell: ({ reason }) => reason ?? "–" },
    {
      title: copy.refundList.amount,
      ...endNumber,
      cell: ({ amount, taxAmount }) => (
        <>
          {formatMoney(amount, order.currency)}
          {isPositive(taxAmount) && (
            <span className={text.under}>{copy.refundList.tax(formatMoney(taxAmount, order.currency))}</span>
          )}
        </>
      ),
    },
  ];
}
