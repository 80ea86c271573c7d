import { oneOf, type Options } from "./options.ts";
import { Select } from "./select.tsx";

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
