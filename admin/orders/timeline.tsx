import type { ReactNode } from "react";
import { By } from "../records/labels.tsx";
import { Section } from "../ui/page.tsx";
import { formatMoney } from "../ui/values/money.ts";
import { ExactTime } from "../ui/values/time.tsx";
import type { Order, Payment } from "./order-queries.ts";
import styles from "./orders.module.css";
import { copy } from "./copy.ts";

/** What happened to the order, newest first. */
export function Timeline({ order }: { order: Order }) {
  const changes = order.changes.map(readChange);
  return (
    <Section title={copy.timeline.title}>
      <ol className={styles.timeline}>
        {changes
          .map((change, index) => (
            <Entry key={index} at={change.createdAt}>
              {describeChange(change, order, changes.slice(index + 1))} <By name={change.actorName} />
            </Entry>
          ))
          .toReversed()}
        {order.payments
          .filter(({ createdAt }) => createdAt === order.createdAt)
          .map((payment) => (
            <Entry key={payment.id} at={order.createdAt}>
              {describePlaced(payment, changes)} <By name={payment.actorName} />
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

/** A change with its details by name. */
const readChange = ({ details, ...change }: Order["changes"][number]) => ({
  ...change,
  details: Object.fromEntries(details.map(({ name, value }) => [name, value])) as Partial<Record<string, string>>,
});
type Change = ReturnType<typeof readChange>;

const describePayment = (method: string, amount: string, currency: string, status: string | undefined) =>
  copy.timeline.payment(
    labelOf(copy.methods, method),
    formatMoney(amount, currency),
    status && labelOf(copy.payments, status).toLowerCase(),
  );

/** A payment that was recorded with the order, as it was then. */
function describePlaced({ id, method, amount, currency, status }: Payment, changes: readonly Change[]): string {
  const own = changes.filter(isOf(id));
  const first = own.length > 0 ? own[0]!.details.oldStatus : status;
  // Nothing is recorded as these, but release 1.0.0 did not log what a cancellation voids.
  const isLater = first === "FAILED" || first === "VOIDED";
  return describePayment(method, amountBefore(own, amount), currency, isLater ? undefined : first);
}

/** The amount of a payment before its next changes. */
const amountBefore = (next: readonly Change[], amount: string) =>
  next.find(({ details }) => details.oldAmount)?.details.oldAmount ?? amount;

function describeChange({ action, details }: Change, order: Order, next: readonly Change[]): string {
  const { method = "", amount = "0", units = "", fields = "", restock } = details;
  const text = copy.timeline;
  const { currency } = order;
  switch (action) {
    case "PAYMENT_RECORDED":
      return atTime(describePayment(method, amount, currency, details.status), details);
    case "PAYMENT_SETTLED":
      return describeSettled(details, order, next);
    case "ORDER_FULFILLED":
      return text.fulfilled(Number(units));
    case "ORDER_REFUNDED":
      return text.refunded(formatMoney(amount, currency));
    case "ORDER_CANCELLED":
      return restock === "true" ? text.cancelledAndRestocked : text.cancelled;
    default:
      return text.updated(fields);
  }
}

function describeSettled(details: Change["details"], { payments }: Order, next: readonly Change[]): string {
  const { paymentId, oldStatus, status } = details;
  const { method, currency, ...payment } = payments.find(({ id }) => id === paymentId)!;
  const amount = details.amount ?? amountBefore(next.filter(isOf(paymentId)), payment.amount);
  if (oldStatus === status) return copy.timeline.referenceChanged(copy.methods[method], formatMoney(amount, currency));
  return atTime(describePayment(method, amount, currency, status), details);
}

const isOf =
  (paymentId: string | undefined) =>
  ({ details }: Change) =>
    details.paymentId === paymentId;

const atTime = (payment: string, { lateCapture }: Change["details"]) =>
  lateCapture === "true" ? copy.timeline.late(payment) : payment;

const labelOf = (labels: Record<string, string>, value: string) => labels[value] ?? value;
