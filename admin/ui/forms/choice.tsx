import { FieldGroup } from "./field-group.tsx";
import type { Options } from "./options.ts";
import { Select } from "./select.tsx";

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
