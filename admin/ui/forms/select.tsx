import { Select as Base } from "@base-ui/react/select";
import { CheckIcon, ChevronIcon } from "../icons.tsx";
import menu from "../menu.module.css";
import text from "../text.module.css";
import layout from "../layout.module.css";
import styles from "./select.module.css";
import { FieldGroup } from "./form.tsx";

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
    ...options.map(([key, name]) => ({ value: key, label: name })),
  ];
  return (
    <Base.Root
      items={items}
      value={value ?? ""}
      onValueChange={(chosen) => onChange(chosen ? (chosen as Value) : undefined)}
    >
      <Base.Trigger className={`${layout.control} ${styles.trigger}`} aria-label={label}>
        <Base.Value className={text.cut} />
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

/** Values to choose from, with their labels. */
export type Options<Value extends string> = readonly (readonly [Value, string])[];

/** The value if it is one of the options, otherwise undefined. Addresses can contain anything. */
export const oneOf = <Value extends string>(options: Options<Value>, value: string | undefined): Value | undefined =>
  options.find(([each]) => each === value)?.[0];

/** Options from labels by value, in their order. */
export const optionsOf = <Value extends string>(labels: Record<Value, string>): Options<Value> =>
  Object.entries<string>(labels).map(([value, label]) => [value as Value, label] as const);

interface ChoiceProps<Value extends string> {
  name: string;
  label: string;
  hint?: string;
  value: Value;
  options: Options<Value>;
  onChange: (value: Value) => void;
}

/** A select as a form field. One option is always chosen. */
export function Choice<Value extends string>({ name, label, hint, value, options, onChange }: ChoiceProps<Value>) {
  return (
    <FieldGroup name={name} label={label} hint={hint}>
      <div>
        <Select label={label} value={value} options={options} onChange={(chosen) => chosen && onChange(chosen)} />
      </div>
    </FieldGroup>
  );
}

interface FilterSelectsProps<Name extends string> {
  selects: readonly { name: Name; label: string; none: string; options: Options<string> }[];
  chosen: { [Key in Name]?: string };
  onChange: (changed: { [Key in Name]?: string | undefined }) => void;
}

/** A select for each filter of a list. */
export function FilterSelects<Name extends string>({ selects, chosen, onChange }: FilterSelectsProps<Name>) {
  return selects.map(({ name, label, none, options }) => (
    <Select
      key={name}
      label={label}
      none={none}
      value={oneOf(options, chosen[name])}
      options={options}
      onChange={(value) => onChange({ [name]: value } as { [Key in Name]?: string | undefined })}
    />
  ));
}
