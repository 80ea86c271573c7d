import { Badge, type Tone } from "../ui/values/badge.tsx";
import layout from "../ui/layout.module.css";
import type { OrderRow, Payment } from "./order-queries.ts";
import { optionsOf } from "../ui/forms/select.tsx";
import { formatMoney, isPositive } from "../ui/values/money.ts";
import { copy } from "./copy.ts";

export const statuses = optionsOf<OrderRow["status"]>(copy.statuses);
export const paymentStatuses = optionsOf<OrderRow["paymentStatus"]>(copy.paymentStatuses);
export const fulfillmentStatuses = optionsOf<OrderRow["fulfillmentStatus"]>(copy.fulfillmentStatuses);
export const paymentMethods = optionsOf<Payment["method"]>(copy.methods);

const paymentTones: Record<OrderRow["paymentStatus"], Tone> = {
  UNPAID: "warning",
  PARTIALLY_PAID: "warning",
  PAID: "good",
  PARTIALLY_REFUNDED: "neutral",
  REFUNDED: "neutral",
  VOIDED: "neutral",
};

type State = Pick<OrderRow, "status" | "paymentStatus" | "fulfillmentStatus" | "overpaidAmount" | "currency">;

/** The statuses of an order as badges, and the money to give back. */
export function OrderBadges({ order }: { order: State }) {
  const { status, paymentStatus, fulfillmentStatus, overpaidAmount, currency } = order;
  return (
    <span className={layout.actions}>
      {status === "CANCELLED" && <Badge tone="bad">{copy.statuses.CANCELLED}</Badge>}
      <Badge tone={paymentTones[paymentStatus]}>{copy.paymentStatuses[paymentStatus]}</Badge>
      {isPositive(overpaidAmount) && (
        <Badge tone="warning">{copy.overpaid(formatMoney(overpaidAmount, currency))}</Badge>
      )}
      {status === "CONFIRMED" && (
        <Badge tone={fulfillmentStatus === "FULFILLED" ? "good" : "warning"}>
          {copy.fulfillmentStatuses[fulfillmentStatus]}
        </Badge>
      )}
    </span>
  );
}

const tones: Record<Payment["status"], Tone> = {
  PENDING: "warning",
  AUTHORIZED: "warning",
  CAPTURED: "good",
  FAILED: "bad",
  VOIDED: "neutral",
};

export function PaymentBadge({ status }: Pick<Payment, "status">) {
  return <Badge tone={tones[status]}>{copy.payments[status]}</Badge>;
}
