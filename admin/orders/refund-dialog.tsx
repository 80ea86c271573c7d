import { useState } from "react";
import { useShop } from "../queries.ts";
import { request, RequestError } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import styles from "../records/records.module.css";
import { TextField } from "../ui/forms/form.tsx";
import { readAmount, readText } from "../ui/forms/read-fields.ts";
import { isPositive, tellMoney } from "../ui/values/money.ts";
import type { OrderDialogProps } from "./order-dialogs.tsx";
import { RefundOrder, type Order, type OrderLine, type RefundInput } from "./order-queries.ts";
import { heldAmount, toGiveBack } from "./order-sums.ts";
import { readUnits, UnitFields } from "./unit-fields.tsx";
import { useAmountToRefund } from "./use-amount-to-refund.ts";
import { methodNames } from "./words.tsx";

const OLDEST = "oldest";

/** The payments that money can go back through. */
const sourcesOf = ({ payments, currency }: Order) => [
  [OLDEST, "The oldest payment first"] as const,
  ...payments
    .filter(({ status }) => status === "CAPTURED")
    .map(({ id, method, amount }) => [id, `${methodNames[method]} ${tellMoney(amount, currency)}`] as const),
];

/** Gives back units, money or both. It shows the amount before anything is paid, and pays that amount. */
export function RefundDialog({ order, onClose }: OrderDialogProps) {
  const { id: shopId } = useShop();
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const lines = order.items.filter((line) => toGiveBack(line) > 0);
  const { read, setFilled, unstocked, setUnstocked, source, setSource } = useFields(lines);
  const { amount, error, isFetching } = useAmountToRefund(order, read);
  const held = heldAmount(order);
  const sources = sourcesOf(order);
  const refund = async (values: FormData) => {
    if (error) throw error;
    // The amount that the button says. While nothing is chosen there is none, which the server refuses.
    const input = { ...read(), amount: amount ?? null, reason: readText(values, "reason") || null };
    return request(RefundOrder, { shopId, id: order.id, expectedVersion: order.version, idempotencyKey, input });
  };
  const told = amount === undefined ? undefined : tellMoney(amount, order.currency);
  return (
    <ChangeDialog
      title="Refund"
      description={`Units, money or both. ${tellMoney(held, order.currency)} can be given back.`}
      label={told ? `Refund ${told}` : "Refund"}
      told="The refund is noted"
      isDrawer
      isWaiting={isFetching}
      onChange={setFilled}
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
      <output className={styles.result}>
        {told ? `${told} will be refunded.` : error ? messageOf(error) : "Choose units, or enter an amount."}
      </output>
    </ChangeDialog>
  );
}

/** What is filled in and chosen, and a function that reads it as the server takes it. */
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

/** The first fault of a field, or the whole of another error. */
const messageOf = (error: Error) => (error instanceof RequestError && Object.values(error.fields)[0]) || error.message;
