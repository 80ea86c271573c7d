import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { asShown, ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/select.tsx";
import layout from "../ui/layout.module.css";
import { AmountField, readAmount } from "../ui/forms/amount-field.tsx";
import { Checkbox, readText, TextField } from "../ui/forms/form.tsx";
import { formatMoney } from "../ui/values/money.ts";
import {
  CancelOrder,
  FulfillOrder,
  RecordPayment,
  SettlePayment,
  UpdateOrder,
  type Order,
  type Payment,
} from "./order-queries.ts";
import { isPending, outstandingAmount, unitsToFulfill } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { paymentMethods } from "./labels.tsx";
import { copy } from "./copy.ts";

export interface OrderDialogProps {
  order: Order;
  onClose: () => void;
}

const newStatuses = [
  ["CAPTURED", copy.payments.CAPTURED],
  ["AUTHORIZED", copy.payments.AUTHORIZED],
  ["PENDING", copy.payments.PENDING],
] as const;

/** Records a payment; by default of the outstanding amount, rounded if it is cash. */
export function PaymentDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId, currencyDecimals } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [method, setMethod] = useState<Payment["method"]>("CARD");
  const [status, setStatus] = useState<(typeof newStatuses)[number][0]>("CAPTURED");
  const outstanding = outstandingAmount(order);
  const [amount, setAmount] = useState<string>();
  const [allowOverpayment, setAllowOverpayment] = useState(false);
  const isReceived = status === "CAPTURED" && method !== "CASH" && method !== "STORE_CREDIT";
  // Store credit belongs to a customer.
  const methods = paymentMethods.filter(([each]) => order.customer || each !== "STORE_CREDIT");
  return (
    <ChangeDialog
      title={copy.pay.title}
      description={copy.pay.text(formatMoney(outstanding, order.currency), order.orderNumber)}
      label={copy.pay.submit}
      successMessage={copy.pay.done}
      onClose={onClose}
      change={async (values) => {
        const reference = readText(values, "reference") || null;
        const paid = readAmount(values, "amount", currencyDecimals)!;
        const input = { amount: paid, method, status, reference, allowOverpayment: isReceived && allowOverpayment };
        const { id: orderId, version: expectedVersion } = order;
        return request(RecordPayment, { shopId, orderId, expectedVersion, idempotencyKey, input });
      }}
    >
      <AmountField
        name="amount"
        label={copy.amount(order.currency)}
        currencyDecimals={currencyDecimals}
        value={amount ?? (method === "CASH" ? order.cashToPay : outstanding)}
        onChange={({ target }) => setAmount(target.value)}
        autoFocus
      />
      <div className={layout.pair}>
        <Choice name="method" label={copy.pay.method} value={method} options={methods} onChange={setMethod} />
        <Choice name="status" label={copy.pay.status} value={status} options={newStatuses} onChange={setStatus} />
      </div>
      <TextField name="reference" label={copy.pay.reference} hint={copy.pay.referenceHint} />
      {isReceived && (
        <Checkbox label={copy.pay.allowOverpayment} checked={allowOverpayment} onChange={setAllowOverpayment} />
      )}
    </ChangeDialog>
  );
}

/** Sets the final status of a pending payment, or captures one that failed or was voided. */
export function SettleDialog({ order, payment, onClose }: OrderDialogProps & { payment: Payment }) {
  const { id: shopId, currencyDecimals } = useShop();
  const [status, setStatus] = useState<"CAPTURED" | "FAILED" | "VOIDED">("CAPTURED");
  const captured = ["CAPTURED", copy.payments.CAPTURED] as const;
  const outcomes = isPending(payment)
    ? ([captured, ["FAILED", copy.payments.FAILED], ["VOIDED", copy.payments.VOIDED]] as const)
    : [captured];
  return (
    <ChangeDialog
      title={copy.settle.title}
      description={copy.settle.text(copy.methods[payment.method], formatMoney(payment.amount, order.currency))}
      label={copy.settle.submit}
      successMessage={copy.settle.done}
      onClose={onClose}
      change={async (values) => {
        // Null if another outcome is chosen.
        const amount = readAmount(values, "amount", currencyDecimals);
        return request(SettlePayment, { shopId, paymentId: payment.id, input: { status, amount } });
      }}
    >
      <Choice name="status" label={copy.settle.status} value={status} options={outcomes} onChange={setStatus} />
      {status === "CAPTURED" && (
        <AmountField
          name="amount"
          label={copy.settle.amount}
          currencyDecimals={currencyDecimals}
          defaultValue={payment.amount}
        />
      )}
    </ChangeDialog>
  );
}

/** Fulfills units of an order; by default all that remain. */
export function FulfillDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const lines = order.items.filter((line) => unitsToFulfill(line) > 0);
  return (
    <ChangeDialog
      title={copy.fulfill.title}
      description={copy.fulfill.text(order.orderNumber)}
      label={copy.fulfill.submit}
      successMessage={copy.fulfill.done}
      onClose={onClose}
      change={(values) =>
        request(FulfillOrder, { shopId, ...asShown(order), input: { items: readUnits(values, lines) } })
      }
    >
      <UnitFields label={copy.fulfill.units} lines={lines} available={unitsToFulfill} initial={unitsToFulfill} />
    </ChangeDialog>
  );
}

export function CancelDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const [restock, setRestock] = useState(true);
  return (
    <ChangeDialog
      title={copy.cancel.title(order.orderNumber)}
      description={copy.cancel.text}
      label={copy.cancel.submit}
      dismissal={copy.cancel.dismiss}
      isDanger
      successMessage={copy.cancel.done}
      onClose={onClose}
      change={(values) =>
        request(CancelOrder, {
          shopId,
          ...asShown(order),
          input: { reason: readText(values, "reason") || null, restock },
        })
      }
    >
      <TextField name="reason" label={copy.reason} maxLength={500} autoFocus />
      <Checkbox label={copy.cancel.restock} checked={restock} onChange={setRestock} />
    </ChangeDialog>
  );
}

export function NotesDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  return (
    <ChangeDialog
      title={copy.editNotesDialog.title(order.orderNumber)}
      label={copy.editNotesDialog.submit}
      successMessage={copy.editNotesDialog.done}
      onClose={onClose}
      change={(values) =>
        request(UpdateOrder, { shopId, ...asShown(order), input: { notes: readText(values, "notes") || null } })
      }
    >
      <TextField
        name="notes"
        label={copy.notes}
        defaultValue={order.notes ?? ""}
        maxLength={5_000}
        render={<textarea rows={5} />}
        autoFocus
      />
    </ChangeDialog>
  );
}
