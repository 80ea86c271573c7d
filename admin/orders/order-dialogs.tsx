import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import styles from "../records/records.module.css";
import { Checkbox, TextField } from "../ui/forms/form.tsx";
import { readText, requireAmount } from "../ui/forms/read-fields.ts";
import { tellMoney } from "../ui/values/money.ts";
import {
  CancelOrder,
  FulfillOrder,
  RecordPayment,
  SettlePayment,
  UpdateOrder,
  type Order,
  type Payment,
} from "./order-queries.ts";
import { leftToPay, toHandOver } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { methodNames, paymentMethods } from "./words.tsx";

export interface OrderDialogProps {
  order: Order;
  onClose: () => void;
}

const arrivals = [
  ["CAPTURED", "It came in"],
  ["AUTHORIZED", "It is authorised"],
  ["PENDING", "It is on its way"],
] as const;

/** Notes money towards an order: what is left to pay by default. */
export function PaymentDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId, currencyDecimals } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [method, setMethod] = useState<Payment["method"]>("CARD");
  const [status, setStatus] = useState<(typeof arrivals)[number][0]>("CAPTURED");
  const left = leftToPay(order);
  // Store credit is somebody's, and a walk-in sale is nobody's.
  const methods = paymentMethods.filter(([each]) => order.customer || each !== "STORE_CREDIT");
  return (
    <ChangeDialog
      title="Take a payment"
      description={`${tellMoney(left, order.currency)} of order #${order.orderNumber} is left to pay.`}
      label="Take payment"
      told="The payment is noted"
      onClose={onClose}
      change={async (values) => {
        const reference = readText(values, "reference") || null;
        const input = { amount: requireAmount(values, "amount", currencyDecimals), method, status, reference };
        return request(RecordPayment, {
          shopId,
          orderId: order.id,
          expectedVersion: order.version,
          idempotencyKey,
          input,
        });
      }}
    >
      <TextField
        name="amount"
        label={`Amount in ${order.currency}`}
        inputMode="decimal"
        defaultValue={left}
        autoFocus
      />
      <div className={styles.pair}>
        <Choice name="method" label="Paid by" value={method} options={methods} onChange={setMethod} />
        <Choice name="status" label="The money" value={status} options={arrivals} onChange={setStatus} />
      </div>
      <TextField name="reference" label="Reference (optional)" hint="What the payment provider calls it." />
    </ChangeDialog>
  );
}

/** Says what became of a payment that was on its way. */
export function SettleDialog({ order, payment, onClose }: OrderDialogProps & { payment: Payment }) {
  const { id: shopId } = useShop();
  const [status, setStatus] = useState<"CAPTURED" | "FAILED" | "VOIDED">("CAPTURED");
  const outcomes = [
    ["CAPTURED", "The money came in"],
    ["FAILED", "It failed"],
    ["VOIDED", "It was called off"],
  ] as const;
  return (
    <ChangeDialog
      title="What became of the payment?"
      description={`${methodNames[payment.method]}, ${tellMoney(payment.amount, order.currency)}. This cannot be taken back.`}
      label="Settle payment"
      told="The payment is settled"
      onClose={onClose}
      change={() => request(SettlePayment, { shopId, paymentId: payment.id, input: { status } })}
    >
      <Choice name="status" label="Outcome" value={status} options={outcomes} onChange={setStatus} />
    </ChangeDialog>
  );
}

/** Notes that units were handed over: all that remain by default. */
export function HandOverDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const lines = order.items.filter((line) => toHandOver(line) > 0);
  return (
    <ChangeDialog
      title="Hand over"
      description={`What goes to the customer of order #${order.orderNumber} now.`}
      label="Hand over"
      told="The hand-over is noted"
      onClose={onClose}
      change={(values) =>
        request(FulfillOrder, {
          shopId,
          id: order.id,
          expectedVersion: order.version,
          input: { items: readUnits(values, lines) },
        })
      }
    >
      <UnitFields label="Units to hand over" lines={lines} available={toHandOver} initial={toHandOver} />
    </ChangeDialog>
  );
}

export function CancelDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const [restock, setRestock] = useState(true);
  return (
    <ChangeDialog
      title={`Cancel order #${order.orderNumber}?`}
      description="Payments on their way are called off. This cannot be undone."
      label="Cancel order"
      dismissal="Keep the order"
      isDanger
      told="The order is cancelled"
      onClose={onClose}
      change={(values) =>
        request(CancelOrder, {
          shopId,
          id: order.id,
          expectedVersion: order.version,
          input: { reason: readText(values, "reason") || null, restock },
        })
      }
    >
      <TextField name="reason" label="Reason (optional)" maxLength={500} autoFocus />
      <Checkbox label="Its units go back into stock" checked={restock} onChange={setRestock} />
    </ChangeDialog>
  );
}

export function NotesDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  return (
    <ChangeDialog
      title={`Notes on order #${order.orderNumber}`}
      label="Save"
      told="The notes are saved"
      onClose={onClose}
      change={(values) =>
        request(UpdateOrder, {
          shopId,
          id: order.id,
          expectedVersion: order.version,
          input: { notes: readText(values, "notes") || null },
        })
      }
    >
      <TextField
        name="notes"
        label="Notes"
        defaultValue={order.notes ?? ""}
        maxLength={5_000}
        render={<textarea rows={5} />}
        autoFocus
      />
    </ChangeDialog>
  );
}
