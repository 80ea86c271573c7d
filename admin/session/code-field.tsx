import { TextField } from "../ui/forms/form.tsx";

/** Asks for the second factor. */
export function CodeField({ autoFocus = false }: { autoFocus?: boolean }) {
  return (
    <TextField
      name="code"
      label="Code"
      hint="From your authenticator app, or a recovery code."
      autoComplete="one-time-code"
      required
      autoFocus={autoFocus}
    />
  );
}
