import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import styles from "../records/records.module.css";
import { Checkbox, TextField } from "../ui/forms/form.tsx";
import { readAmount, readText, requireAmount } from "../ui/forms/read-fields.ts";
import { isPositive, tellMoney } from "../ui/values/money.ts";
import {
  CancelOrder,
  FulfillOrder,
  RecordPayment,
  RefundOrder,
  SettlePayment,
  UpdateOrder,
  type Order,
  type Payment,
} from "./order-queries.ts";
import { heldAmount, leftToPay, toGiveBack, toHandOver } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { methodNames, paymentMethods } from "./words.tsx";

interface OrderDialogProps {
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

const OLDEST = "oldest";

/** The payments that money can go back through. */
const sourcesOf = ({ payments, currency }: Order) => [
  [OLDEST, "The oldest payment first"] as const,
  ...payments
    .filter(({ status }) => status === "CAPTURED")
    .map(({ id, method, amount }) => [id, `${methodNames[method]} ${tellMoney(amount, currency)}`] as const),
];

/** Gives back units, money or both. */
export function RefundDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId, currencyDecimals } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [unstocked, setUnstocked] = useState<string[]>([]);
  const [source, setSource] = useState(OLDEST);
  const lines = order.items.filter((line) => toGiveBack(line) > 0);
  const held = heldAmount(order);
  const sources = sourcesOf(order);
  const refund = async (values: FormData) => {
    const items = readUnits(values, lines).map((each) => ({ ...each, restock: !unstocked.includes(each.itemId) }));
    const input = {
      amount: readAmount(values, "amount", currencyDecimals),
      items: items.length > 0 ? items : null,
      paymentId: source === OLDEST ? null : source,
      reason: readText(values, "reason") || null,
    };
    return request(RefundOrder, { shopId, id: order.id, expectedVersion: order.version, idempotencyKey, input });
  };
  return (
    <ChangeDialog
      title="Refund"
      description={`Units, money or both. ${tellMoney(held, order.currency)} can be given back.`}
      label="Refund"
      told="The refund is noted"
      isDrawer
      onClose={onClose}
      change={refund}
    >
      {lines.length > 0 && (
        <UnitFields
          label="Units to give back"
          lines={lines}
          available={toGiveBack}
          initial={() => 0}
          unstocked={{ ids: unstocked, onChange: setUnstocked }}
        />
      )}
      <TextField
        name="amount"
        label={`Amount in ${order.currency}`}
        hint="Leave it empty for the price of the units. 0 takes units back without money."
        inputMode="decimal"
        defaultValue={isPositive(held) ? undefined : "0"}
      />
      {sources.length > 2 && (
        <Choice name="paymentId" label="Give back through" value={source} options={sources} onChange={setSource} />
      )}
      <TextField name="reason" label="Reason (optional)" maxLength={500} />
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
