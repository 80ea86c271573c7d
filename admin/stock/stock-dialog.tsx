import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice } from "../ui/forms/choice.tsx";
import styles from "../records/records.module.css";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { tellNumber } from "../ui/values/money.ts";
import { AdjustStock, checkResults, SetStock, stockOfVariantQuery } from "./stock-queries.ts";

const ways = [
  ["ADD", "Units came in"],
  ["TAKE", "Units went out"],
  ["SET", "It was counted"],
] as const;

const reasons = {
  ADD: [
    ["RECEIVED", "Goods received"],
    ["RETURNED", "Brought back by a customer"],
    ["CORRECTED", "An earlier change was wrong"],
  ],
  TAKE: [
    ["DAMAGED", "Damaged"],
    ["LOST", "Lost"],
    ["CORRECTED", "An earlier change was wrong"],
  ],
  SET: [
    ["COUNTED", "A stocktake"],
    ["CORRECTED", "An earlier change was wrong"],
  ],
} as const;

type Way = keyof typeof reasons;
type Reason = (typeof reasons)[Way][number][0];

interface StockDialogProps {
  variant: { id: string; inventoryQuantity: number };
  name: string;
  onClose: () => void;
}

/** Changes the stock of a variant: units come or go, or it is what was counted. */
export function StockDialog({ variant, name, onClose }: StockDialogProps) {
  const { id: shopId } = useShop();
  // As it is now: it may have changed since the page was read.
  const { data: now } = useQuery(stockOfVariantQuery(shopId, variant.id));
  const stock = (now ?? variant).inventoryQuantity;
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [way, setWay] = useState<Way>("ADD");
  const [reason, setReason] = useState<Reason>("RECEIVED");
  const change = async (values: FormData) => {
    const units = Number(values.get("units"));
    const common = { variantId: variant.id, reason, note: readText(values, "note") || null };
    checkResults(
      way === "SET"
        ? await request(SetStock, {
            shopId,
            changes: [{ ...common, quantity: units, expectedQuantity: stock }],
          })
        : await request(AdjustStock, {
            shopId,
            changes: [{ ...common, delta: way === "ADD" ? units : -units, idempotencyKey }],
          }),
    );
  };
  const choose = (chosen: Way) => {
    setWay(chosen);
    setReason(reasons[chosen][0][0]);
  };
  return (
    <ChangeDialog
      title={`Stock of ${name}`}
      description={`${tellNumber(stock)} in stock.`}
      label="Change stock"
      told="The stock is changed"
      onClose={onClose}
      change={change}
    >
      <div className={styles.pair}>
        <Choice name="way" label="What happened" value={way} options={ways} onChange={choose} />
        <Choice<Reason> name="reason" label="Reason" value={reason} options={reasons[way]} onChange={setReason} />
      </div>
      <TextField
        name="units"
        label={way === "SET" ? "Units counted" : "Units"}
        type="number"
        min={way === "SET" ? 0 : 1}
        max={1_000_000_000}
        step={1}
        required
        autoFocus
      />
      <TextField name="note" label="Note (optional)" maxLength={500} />
    </ChangeDialog>
  );
}
