import type { ReactNode } from "react";
import { By } from "../records/labels.tsx";
import { Section } from "../ui/page.tsx";
import { formatMoney } from "../ui/values/money.ts";
import { ExactTime } from "../ui/values/time.tsx";
import type { Order } from "./order-queries.ts";
import styles from "./orders.module.css";
import { copy } from "./copy.ts";

/** What happened to the order, newest first. */
export function Timeline({ order }: { order: Order }) {
  return (
    <Section title={copy.timeline.title}>
      <ol className={styles.timeline}>
        {order.changes.toReversed().map((change, index) => (
          <Entry key={index} at={change.createdAt}>
            {describeChange(change, order.currency)} <By name={change.actorName} />
          </Entry>
        ))}
        {order.payments.filter(isPlacedWith(order)).map(({ id, amount, method, status, actorName }) => (
          <Entry key={id} at={order.createdAt}>
            {describePayment(formatMoney(amount, order.currency), method, status)} <By name={actorName} />
          </Entry>
        ))}
        <Entry at={order.createdAt}>
          {copy.timeline.placed(copy.channels[order.channel])} <By name={order.createdByName} />
        </Entry>
      </ol>
    </Section>
  );
}

function Entry({ at, children }: { at: string; children: ReactNode }) {
  return (
    <li>
      <div>{children}</div>
      <ExactTime value={at} />
    </li>
  );
}

/** Captured as the order was placed, which is one change. */
const isPlacedWith =
  ({ createdAt }: Order) =>
  ({ processedAt }: Order["payments"][number]) =>
    processedAt === createdAt;

const describePayment = (amount: string, method: string | undefined, status: string | undefined) =>
  copy.timeline.paid(amount, labelOf(copy.methods, method), labelOf(copy.payments, status));

type Change = Order["changes"][number];

function describeChange({ action, details }: Change, currency: string): string {
  const {
    method,
    status,
    amount,
    units = "",
    fields = "",
    restock,
    lateCapture,
  } = Object.fromEntries(details.map(({ name, value }) => [name, value])) as Partial<Record<string, string>>;
  const text = copy.timeline;
  const money = amount && formatMoney(amount, currency);
  const atTime = (payment: string) => (lateCapture === "true" ? text.late(payment) : payment);
  switch (action) {
    case "PAYMENT_RECORDED":
      return atTime(describePayment(money!, method, status));
    case "PAYMENT_SETTLED":
      return atTime(text.settled(labelOf(copy.payments, status), money));
    case "ORDER_FULFILLED":
      return text.fulfilled(Number(units));
    case "ORDER_REFUNDED":
      return text.refunded(money!);
    case "ORDER_CANCELLED":
      return restock === "true" ? text.cancelledAndRestocked : text.cancelled;
    default:
      return text.updated(fields);
  }
}

const labelOf = (labels: Record<string, string>, value = "") => (labels[value] ?? value).toLowerCase();
