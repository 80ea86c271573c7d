import { useState } from "react";
import { useShop } from "../queries.ts";
import { request, RequestError } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import styles from "../records/records.module.css";
import { TextField } from "../ui/forms/form.tsx";
import { readAmount, readText } from "../ui/forms/read-fields.ts";
import { isPositive, formatMoney } from "../ui/values/money.ts";
import type { OrderDialogProps } from "./order-dialogs.tsx";
import { RefundOrder, type Order, type OrderLine, type RefundInput } from "./order-queries.ts";
import { refundableAmount, unitsToRefund } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { useAmountToRefund } from "./use-amount-to-refund.ts";
import { copy } from "./copy.ts";

const OLDEST = "oldest";

/** The payments that can be refunded, as options. */
const sourcesOf = ({ payments, currency }: Order) => [
  [OLDEST, copy.refund.oldest] as const,
  ...payments
    .filter(({ status }) => status === "CAPTURED")
    .map(
      ({ id, method, amount }) =>
        [id, copy.refund.payment(copy.methods[method], formatMoney(amount, currency))] as const,
    ),
];

/** Refunds units, an amount or both. It shows the amount first, and refunds exactly that amount. */
export function RefundDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const isLate = order.status === "CANCELLED";
  const lines = isLate ? [] : order.items.filter((line) => unitsToRefund(line) > 0);
  const { read, setFilled, unstocked, setUnstocked, source, setSource } = useFields(lines);
  const { amount, error, isFetching } = useAmountToRefund(order, read);
  const refundable = refundableAmount(order);
  const sources = sourcesOf(order);
  const refund = async (values: FormData) => {
    if (error) throw error;
    // The amount on the button, because it is of the same version. An empty form is refused by the server.
    const input = { ...read(), reason: readText(values, "reason") || null };
    return request(RefundOrder, { shopId, id: order.id, expectedVersion: order.version, idempotencyKey, input });
  };
  const shown = amount === undefined ? undefined : formatMoney(amount, order.currency);
  return (
    <ChangeDialog
      title={copy.refund.title}
      description={(isLate ? copy.refund.textLate : copy.refund.text)(formatMoney(refundable, order.currency))}
      label={shown ? copy.refund.submitAmount(shown) : copy.refund.submit}
      successMessage={copy.refund.done}
      isDrawer
      isWaiting={isFetching}
      onChange={setFilled}
      onClose={onClose}
      change={refund}
    >
      {lines.length > 0 && (
        <UnitFields
          label={copy.refund.units}
          lines={lines}
          available={unitsToRefund}
          initial={() => 0}
          unstocked={{ ids: unstocked, onChange: setUnstocked }}
        />
      )}
      <TextField
        name="amount"
        label={copy.amount(order.currency)}
        hint={isLate ? undefined : copy.refund.amountHint}
        inputMode="decimal"
        defaultValue={isPositive(refundable) ? undefined : "0"}
      />
      {sources.length > 2 && (
        <Choice name="paymentId" label={copy.refund.source} value={source} options={sources} onChange={setSource} />
      )}
      <TextField name="reason" label={copy.reason} maxLength={500} />
      <output className={styles.result}>
        {shown ? copy.refund.preview(shown) : error ? messageOf(error) : copy.refund.nothing}
      </output>
    </ChangeDialog>
  );
}

/** The state of the form, and a function that reads it as the server's input. */
function useFields(lines: readonly OrderLine[]) {
  const { currencyDecimals } = useShop();
  const [filled, setFilled] = useState(() => new FormData());
  const [unstocked, setUnstocked] = useState<string[]>([]);
  const [source, setSource] = useState(OLDEST);
  const read = (): RefundInput => {
    const items = readUnits(filled, lines).map((each) => ({ ...each, restock: !unstocked.includes(each.itemId) }));
    return {
      amount: readAmount(filled, "amount", currencyDecimals),
      items: items.length > 0 ? items : null,
      paymentId: source === OLDEST ? null : source,
    };
  };
  return { read, setFilled, unstocked, setUnstocked, source, setSource };
}

/** The first message of a field, or the error's message. */
const messageOf = (error: Error) => (error instanceof RequestError && error.issues[0]?.message) || error.message;
