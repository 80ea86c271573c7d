import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Checkbox, TextField } from "../ui/forms/form.tsx";
import type { OrderLine } from "./order-queries.ts";

interface UnitFieldsProps {
  /** Names the group, such as "Units to hand over". */
  label: string;
  lines: readonly OrderLine[];
  /** The most units that may be entered. */
  available: (line: OrderLine) => number;
  /** The units that are filled in at first. */
  initial: (line: OrderLine) => number;
  /** Lines whose units do not go back into stock; without it nobody is asked. */
  unstocked?: { ids: readonly string[]; onChange: (ids: string[]) => void };
}

/** A number of units for each line of an order. */
export function UnitFields({ label, lines, available, initial, unstocked }: UnitFieldsProps) {
  return (
    <div className={styles.units} role="group" aria-label={label}>
      {lines.map((line) => (
        <div key={line.id} className={styles.unit}>
          <div>
            <span className={text.name}>{nameLine(line)}</span>
            <span className={text.under}>
              of {available(line)}
              {line.sku && ` · ${line.sku}`}
            </span>
            {unstocked && (
              <Checkbox
                label="Back into stock"
                checked={!unstocked.ids.includes(line.id)}
                onChange={(isChosen) =>
                  unstocked.onChange(
                    isChosen ? unstocked.ids.filter((id) => id !== line.id) : [...unstocked.ids, line.id],
                  )
                }
              />
            )}
          </div>
          <TextField
            name={`units.${line.id}`}
            label={<span className={text.hidden}>{`${label}: ${nameLine(line)}`}</span>}
            type="number"
            min={0}
            max={available(line)}
            step={1}
            defaultValue={initial(line)}
          />
        </div>
      ))}
    </div>
  );
}

/** Reads the units that were entered, without lines of which there are none. */
export const readUnits = (values: FormData, lines: readonly OrderLine[]) =>
  lines
    .map(({ id }) => ({ itemId: id, quantity: Number(values.get(`units.${id}`) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);

export const nameLine = ({ title, variantTitle }: Pick<OrderLine, "title" | "variantTitle">) =>
  variantTitle === "Default Title" ? title : `${title} · ${variantTitle}`;
