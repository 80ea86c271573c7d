import { CodeField } from "../session/code-field.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { copy } from "./copy.ts";

/** The field for the viewer's own password. */
export function PasswordField({ name = "password", label = copy.yourPassword }: { name?: string; label?: string }) {
  return <TextField name={name} label={label} type="password" autoComplete="current-password" required autoFocus />;
}

/** The fields for password and code. Changes that weaken an account need both. */
export function BothFactors() {
  return (
    <>
      <PasswordField />
      <CodeField />
    </>
  );
}
