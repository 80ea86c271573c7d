import { Badge, type Tone } from "../ui/values/badge.tsx";
import layout from "../ui/layout.module.css";
import type { OrderRow, Payment } from "./order-queries.ts";
import { optionsOf } from "../ui/forms/select.tsx";
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

type State = Pick<OrderRow, "status" | "paymentStatus" | "fulfillmentStatus">;

/** The statuses of an order as badges. */
export function OrderBadges({ order: { status, paymentStatus, fulfillmentStatus } }: { order: State }) {
  return (
    <span className={layout.actions}>
      {status === "CANCELLED" && <Badge tone="bad">{copy.statuses.CANCELLED}</Badge>}
      <Badge tone={paymentTones[paymentStatus]}>{copy.paymentStatuses[paymentStatus]}</Badge>
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
