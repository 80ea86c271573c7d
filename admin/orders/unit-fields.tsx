import { labelItem } from "../records/labels.tsx";
import layout from "../ui/layout.module.css";
import styles from "../records/records.module.css";
import text from "../ui/text.module.css";
import { Checkbox, TextField } from "../ui/forms/form.tsx";
import type { OrderLine } from "./order-queries.ts";
import { copy } from "./copy.ts";

interface UnitFieldsProps {
  /** The group's label, such as "Units to fulfill". */
  label: string;
  lines: readonly OrderLine[];
  /** The maximum number of units of a line. */
  available: (line: OrderLine) => number;
  /** The initial number of units of a line. */
  initial: (line: OrderLine) => number;
  /** The lines that are not restocked. Without it, there is no such option. */
  unstocked?: { ids: readonly string[]; onChange: (ids: string[]) => void };
}

/** A field for a number of units of each line. */
export function UnitFields({ label, lines, available, initial, unstocked }: UnitFieldsProps) {
  return (
    <div className={`${layout.stack} ${styles.units}`} role="group" aria-label={label}>
      {lines.map((line) => (
        <div key={line.id} className={styles.unit}>
          <div>
            <span className={text.name}>{labelItem(line.title, line.variantTitle)}</span>
            <span className={text.under}>
              {copy.unitsOf(available(line))}
              {line.sku && ` · ${line.sku}`}
            </span>
            {unstocked && (
              <Checkbox
                label={copy.restock}
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
            label={
              <span className={text.hidden}>{copy.unitsOfLine(label, labelItem(line.title, line.variantTitle))}</span>
            }
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

/** Reads the units of each line, without lines of zero units. */
export const readUnits = (values: FormData, lines: readonly OrderLine[]) =>
  lines
    .map(({ id }) => ({ itemId: id, quantity: Number(values.get(`units.${id}`) ?? 0) }))
    .filter(({ quantity }) => quantity > 0);
