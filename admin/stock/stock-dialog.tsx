import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useShop } from "../queries.ts";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { Choice, optionsOf } from "../ui/forms/select.tsx";
import layout from "../ui/layout.module.css";
import { readText, TextField } from "../ui/forms/form.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { AdjustStock, checkResults, SetStock, stockOfVariantQuery } from "./stock-queries.ts";
import { copy } from "./copy.ts";

const changes = optionsOf(copy.dialog.changes);

const option = <Code extends keyof typeof copy.reasons>(code: Code) => [code, copy.reasons[code]] as const;

const reasons = {
  ADD: [option("RECEIVED"), option("RETURNED"), option("CORRECTED")],
  TAKE: [option("DAMAGED"), option("LOST"), option("CORRECTED")],
  SET: [option("COUNTED"), option("CORRECTED")],
} as const;

type Change = keyof typeof reasons;
type Reason = (typeof reasons)[Change][number][0];

interface StockDialogProps {
  variant: { id: string; inventoryQuantity: number };
  name: string;
  onClose: () => void;
}

/** Adds or removes units of a variant, or sets its stock. */
export function StockDialog({ variant, name, onClose }: StockDialogProps) {
  const { id: shopId } = useShop();
  // The current stock, which may differ from the page's.
  const { data: current } = useQuery(stockOfVariantQuery(shopId, variant.id));
  const stock = (current ?? variant).inventoryQuantity;
  const [idempotencyKey] = useState(() => crypto.randomUUID());
  const [kind, setKind] = useState<Change>("ADD");
  const [reason, setReason] = useState<Reason>("RECEIVED");
  const change = async (values: FormData) => {
    const units = Number(values.get("units"));
    const common = { variantId: variant.id, reason, note: readText(values, "note") || null };
    checkResults(
      kind === "SET"
        ? await request(SetStock, {
            shopId,
            changes: [{ ...common, quantity: units, expectedQuantity: stock }],
          })
        : await request(AdjustStock, {
            shopId,
            changes: [{ ...common, delta: kind === "ADD" ? units : -units, idempotencyKey }],
          }),
    );
  };
  const choose = (chosen: Change) => {
    setKind(chosen);
    setReason(reasons[chosen][0][0]);
  };
  return (
    <ChangeDialog
      title={copy.dialog.title(name)}
      description={copy.dialog.text(formatNumber(stock))}
      label={copy.dialog.submit}
      successMessage={copy.dialog.done}
      onClose={onClose}
      change={change}
    >
      <div className={layout.pair}>
        <Choice name="change" label={copy.dialog.change} value={kind} options={changes} onChange={choose} />
        <Choice<Reason>
          name="reason"
          label={copy.dialog.reason}
          value={reason}
          options={reasons[kind]}
          onChange={setReason}
        />
      </div>
      <TextField
        name="units"
        label={kind === "SET" ? copy.dialog.newStock : copy.dialog.units}
        type="number"
        min={kind === "SET" ? 0 : 1}
        max={1_000_000_000}
        step={1}
        required
        autoFocus
      />
      <TextField name="note" label={copy.dialog.note} maxLength={500} />
    </ChangeDialog>
  );
}
