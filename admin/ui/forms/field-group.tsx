import { createContext, useContext, useEffect, useId, useRef, useState, type ReactNode } from "react";
import styles from "./form.module.css";

/** The messages of a form's last submit, by the names of the fields. */
export const FormErrors = createContext<Record<string, string>>({});

interface FieldGroupProps {
  name: string;
  label: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A group of controls with one name and one error. The error disappears when one of the controls is used. */
export function FieldGroup({ name, label, hint, children }: FieldGroupProps) {
  const errors = useContext(FormErrors);
  const [seen, setSeen] = useState(errors);
  const group = useRef<HTMLFieldSetElement>(null);
  const id = useId();
  const error = seen === errors ? undefined : errors[name];
  useEffect(() => {
    // Text fields take the focus themselves.
    const isFirst = !group.current!.form?.querySelector('[aria-invalid="true"]');
    if (error && isFirst) group.current!.querySelector<HTMLElement>("button, input, [tabindex]")?.focus();
  }, [error]);
  return (
    <fieldset
      ref={group}
      name={name}
      className={styles.field}
      aria-describedby={error && id}
      onChange={() => setSeen(errors)}
    >
      <legend className={styles.label}>{label}</legend>
      {hint && <p className={styles.hint}>{hint}</p>}
      {children}
      {error && (
        <p id={id} className={styles.error}>
          {error}
        </p>
      )}
    </fieldset>
  );
}
