import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Field } from "@base-ui/react/field";
import { Form as BaseForm } from "@base-ui/react/form";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import { useId, useState, type ComponentProps, type ReactNode } from "react";
import { RequestError } from "../../request.ts";
import styles from "./form.module.css";
import { CheckIcon } from "../icons.tsx";
import { Notice } from "../states.tsx";

const NO_FIELDS = {};

interface FormProps {
  /** The error of the last submit. Issues appear at their fields, anything else above them. */
  error: Error | null;
  onSubmit: (values: FormData) => void;
  onChange?: ((values: FormData) => void) | undefined;
  children: ReactNode;
}

/** A form that the server validates. The page ignores a submit while another runs. */
export function Form({ error, onSubmit, onChange, children }: FormProps) {
  const fields = error instanceof RequestError ? error.fields : NO_FIELDS;
  const [names, setNames] = useState<readonly string[]>([]);
  const unplaced = Object.entries(fields).filter(([name]) => !names.includes(name));
  return (
    <BaseForm
      className={styles.form}
      errors={fields}
      onChange={(event) => onChange?.(new FormData(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        setNames(Array.from(event.currentTarget.elements, (element) => element.getAttribute("name") ?? ""));
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {error && Object.keys(fields).length === 0 && <Notice tone="bad">{error.message}</Notice>}
      {unplaced.length > 0 && (
        <Notice tone="bad">{unplaced.map(([name, message]) => `${name}: ${message}`).join(". ")}</Notice>
      )}
      {children}
    </BaseForm>
  );
}

interface TextFieldProps extends Omit<ComponentProps<typeof Field.Control>, "name"> {
  name: string;
  label: ReactNode;
  hint?: ReactNode;
}

export function TextField({ name, label, hint, ...rest }: TextFieldProps) {
  return (
    <Field.Root name={name} className={styles.field}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control className={styles.input} autoComplete="off" {...rest} />
      {hint && <Field.Description className={styles.hint}>{hint}</Field.Description>}
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

/** A group of controls with one name and one error. */
export function FieldGroup({
  name,
  label,
  hint,
  children,
}: {
  name: string;
  label: string;
  hint?: ReactNode;
  children: ReactNode;
}) {
  return (
    <Field.Root name={name} className={styles.field} render={<fieldset name={name} />}>
      <legend className={styles.label}>{label}</legend>
      {hint && <Field.Description className={styles.hint}>{hint}</Field.Description>}
      {children}
      <Field.Error className={styles.error} />
    </Field.Root>
  );
}

interface CheckboxProps {
  name?: string;
  value?: string;
  label: ReactNode;
  checked: boolean;
  disabled?: boolean;
  onChange: (checked: boolean) => void;
}

export function Checkbox({ label, checked, disabled, onChange, ...rest }: CheckboxProps) {
  // Inside a FieldGroup, Base UI would name every checkbox after the first one's label.
  const id = useId();
  return (
    <label className={styles.check}>
      <BaseCheckbox.Root
        {...rest}
        aria-labelledby={id}
        className={styles.box}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      >
        <BaseCheckbox.Indicator className={styles.indicator}>
          <CheckIcon size={14} />
        </BaseCheckbox.Indicator>
      </BaseCheckbox.Root>
      <span id={id}>{label}</span>
    </label>
  );
}

/** A switch. Unlike a checkbox, it takes effect immediately. */
export function Switch({ label, checked, disabled, onChange }: Omit<CheckboxProps, "name" | "value">) {
  const id = useId();
  return (
    <label className={styles.check}>
      <BaseSwitch.Root
        aria-labelledby={id}
        className={styles.switch}
        checked={checked}
        disabled={disabled}
        onCheckedChange={onChange}
      >
        <BaseSwitch.Thumb className={styles.thumb} />
      </BaseSwitch.Root>
      <span id={id}>{label}</span>
    </label>
  );
}
