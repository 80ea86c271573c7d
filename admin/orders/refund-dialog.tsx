import { useState } from "react";
import { useShop } from "../queries.ts";
import { messageOf, request } from "../request.ts";
import { asShown, ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/select.tsx";
import styles from "../records/records.module.css";
import { readText, TextField } from "../ui/forms/form.tsx";
import { readAmount } from "../ui/forms/amount-field.tsx";
import { formatMoney, isPositive } from "../ui/values/money.ts";
import type { OrderDialogProps } from "./order-dialogs.tsx";
import { AmountToRefund, RefundOrder, type Order, type OrderLine, type RefundInput } from "./order-queries.ts";
import { refundableAmount, unitsToRefund } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
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
    return request(RefundOrder, { shopId, ...asShown(order), idempotencyKey, input });
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

interface AmountToRefundResult {
  /** The amount that the server would refund; undefined for an invalid or an empty form. */
  amount: string | undefined;
  /** An invalid field, or the server's error. */
  error: Error | null;
  isFetching: boolean;
}

/** Asks the server for the amount of a refund. `read` throws when a field is invalid. */
export function useAmountToRefund(order: Order, read: () => RefundInput): AmountToRefundResult {
  const { id: shopId } = useShop();
  const { input, error } = tryRead(read);
  const hasInput = input !== undefined && (input.amount !== null || input.items !== null);
  const query = useQuery({
    // The version refreshes the amount when the order changes.
    queryKey: ["records", shopId, "order", order.id, "amountToRefund", order.version, input],
    queryFn: async ({ signal }) => {
      const { shop } = await request(AmountToRefund, { shopId, id: order.id, input: input! }, { signal });
      return shop!.order!.amountToRefund;
    },
    enabled: hasInput,
    placeholderData: keepPreviousData,
  });
  if (!hasInput) return { amount: undefined, error, isFetching: false };
  return { amount: query.data, error: query.error, isFetching: query.isFetching };
}

function tryRead(read: () => RefundInput): { input: RefundInput | undefined; error: Error | null } {
  try {
    return { input: read(), error: null };
  } catch (error) {
    return { input: undefined, error: error as Error };
  }
}
