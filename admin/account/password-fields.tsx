import { CodeField } from "../session/code-field.tsx";
import { TextField } from "../ui/forms/form.tsx";

/** Asks for the viewer's own password. */
export function PasswordField({ name = "password", label = "Your password" }: { name?: string; label?: string }) {
  return <TextField name={name} label={label} type="password" autoComplete="current-password" required autoFocus />;
}

/** Asks for both factors, as whatever weakens an account does. */
export function BothFactors() {
  return (
    <>
      <PasswordField />
      <CodeField />
    </>
  );
}
