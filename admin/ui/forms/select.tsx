import { Select as Base } from "@base-ui/react/select";
import { CheckIcon, ChevronIcon } from "../icons.tsx";
import menu from "../menu.module.css";
import type { Options } from "./options.ts";
import styles from "./select.module.css";

interface SelectProps<Value extends string> {
  label: string;
  /** The label of the empty option, such as "Any status". */
  none?: string;
  value: Value | undefined;
  options: Options<Value>;
  onChange: (value: Value | undefined) => void;
}

/** A select for filters and forms. */
export function Select<Value extends string>({ label, none, value, options, onChange }: SelectProps<Value>) {
  const items = [
    ...(none === undefined ? [] : [{ value: "", label: none }]),
    ...options.map(([key, text]) => ({ value: key, label: text })),
  ];
  return (
    <Base.Root
      items={items}
      value={value ?? ""}
      onValueChange={(chosen) => onChange(chosen ? (chosen as Value) : undefined)}
    >
      <Base.Trigger className={styles.trigger} aria-label={label}>
        <Base.Value className={styles.value} />
        <Base.Icon className={styles.icon}>
          <ChevronIcon size={16} />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner className={menu.positioner} sideOffset={4} alignItemWithTrigger={false}>
          <Base.Popup className={menu.popup}>
            {items.map((item) => (
              <Base.Item key={item.value} value={item.value} className={menu.item}>
                <span className={styles.tick}>
                  <Base.ItemIndicator>
                    <CheckIcon size={16} />
                  </Base.ItemIndicator>
                </span>
                <Base.ItemText>{item.label}</Base.ItemText>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
