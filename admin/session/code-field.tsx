import { TextField } from "../ui/forms/form.tsx";
import { copy } from "./copy.ts";

/** The field for a code of two-factor authentication. */
export function CodeField({ autoFocus = false }: { autoFocus?: boolean }) {
  return (
    <TextField
      name="code"
      label={copy.code.label}
      hint={copy.code.hint}
      autoComplete="one-time-code"
      required
      autoFocus={autoFocus}
    />
  );
}
