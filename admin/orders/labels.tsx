import { Badge, type Tone } from "../ui/values/badge.tsx";
import styles from "../records/records.module.css";
import type { OrderRow, Payment } from "./order-queries.ts";

export const statuses = [
  ["CONFIRMED", "Confirmed"],
  ["CANCELLED", "Cancelled"],
  ["REFUNDED", "Refunded"],
] as const;

export const paymentStatuses = [
  ["UNPAID", "Unpaid"],
  ["PARTIALLY_PAID", "Partly paid"],
  ["PAID", "Paid"],
  ["PARTIALLY_REFUNDED", "Partly refunded"],
  ["REFUNDED", "Refunded"],
  ["VOIDED", "Voided"],
] as const;

export const fulfillmentStatuses = [
  ["UNFULFILLED", "To hand over"],
  ["PARTIALLY_FULFILLED", "Partly handed over"],
  ["FULFILLED", "Handed over"],
] as const;

export const paymentMethods = [
  ["CARD", "Card"],
  ["CASH", "Cash"],
  ["GIFT_CARD", "Gift card"],
  ["STORE_CREDIT", "Store credit"],
  ["OTHER", "Other"],
] as const;

export const channelNames = { POS: "At the till", STOREFRONT: "Storefront" };
export const methodNames = Object.fromEntries(paymentMethods) as Record<Payment["method"], string>;

const paymentTones: Record<OrderRow["paymentStatus"], Tone> = {
  UNPAID: "warning",
  PARTIALLY_PAID: "warning",
  PAID: "good",
  PARTIALLY_REFUNDED: "neutral",
  REFUNDED: "neutral",
  VOIDED: "neutral",
};

const paymentNames = Object.fromEntries(paymentStatuses) as Record<OrderRow["paymentStatus"], string>;
const fulfillmentNames = Object.fromEntries(fulfillmentStatuses) as Record<OrderRow["fulfillmentStatus"], string>;

type State = Pick<OrderRow, "status" | "paymentStatus" | "fulfillmentStatus">;

/** The state of an order. A cancelled one has nothing left to hand over. */
export function OrderBadges({ order: { status, paymentStatus, fulfillmentStatus } }: { order: State }) {
  return (
    <span className={styles.badges}>
      {status === "CANCELLED" && <Badge tone="bad">Cancelled</Badge>}
      <Badge tone={paymentTones[paymentStatus]}>{paymentNames[paymentStatus]}</Badge>
      {status === "CONFIRMED" && (
        <Badge tone={fulfillmentStatus === "FULFILLED" ? "good" : "warning"}>
          {fulfillmentNames[fulfillmentStatus]}
        </Badge>
      )}
    </span>
  );
}

const states: Record<Payment["status"], readonly [string, Tone]> = {
  PENDING: ["Pending", "warning"],
  AUTHORIZED: ["Authorised", "warning"],
  CAPTURED: ["Received", "good"],
  FAILED: ["Failed", "bad"],
  VOIDED: ["Called off", "neutral"],
};

export function PaymentBadge({ status }: Pick<Payment, "status">) {
  const [name, tone] = states[status];
  return <Badge tone={tone}>{name}</Badge>;
}
