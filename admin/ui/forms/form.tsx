import { Checkbox as BaseCheckbox } from "@base-ui/react/checkbox";
import { Field } from "@base-ui/react/field";
import { Form as BaseForm } from "@base-ui/react/form";
import { Switch as BaseSwitch } from "@base-ui/react/switch";
import {
  createContext,
  useContext,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
  type ComponentProps,
  type ReactElement,
  type ReactNode,
} from "react";
import { RequestError } from "../../request.ts";
import { copy } from "../copy.ts";
import styles from "./form.module.css";
import { CheckIcon } from "../icons.tsx";
import { Notice } from "../states.tsx";

/** Messages for fields that are empty, by name. */
export type EmptyMessages = Record<string, string>;

interface FormProps {
  /** The error of the last submit. Issues appear at their fields, anything else above them. */
  error: Error | null;
  empty?: EmptyMessages | undefined;
  onSubmit: (values: FormData) => void;
  onChange?: ((values: FormData) => void) | undefined;
  children: ReactNode;
}

/** A form that the server validates. The page ignores a submit while another runs. */
export function Form({ error, empty, onSubmit, onChange, children }: FormProps) {
  const [labels, setLabels] = useState<ReadonlyMap<string, string>>(new Map());
  // The same object until the next error, because Base UI compares it.
  const fields = useMemo(() => messagesOf(error, empty, labels), [error, empty, labels]);
  const unplaced = Object.entries(fields).filter(([name]) => !labels.has(name));
  return (
    <BaseForm
      className={styles.form}
      errors={fields}
      onChange={(event) => onChange?.(new FormData(event.currentTarget))}
      onSubmit={(event) => {
        event.preventDefault();
        const shown = new Map(Array.from(event.currentTarget.elements, readLabel));
        setLabels((old) => (String([...old]) === String([...shown]) ? old : shown));
        onSubmit(new FormData(event.currentTarget));
      }}
    >
      {error && Object.keys(fields).length === 0 && <Notice tone="bad">{error.message}</Notice>}
      {unplaced.length > 0 && (
        <Notice tone="bad">{unplaced.map(([name, message]) => `${name}: ${message}`).join(". ")}</Notice>
      )}
      <FormErrors value={fields}>{children}</FormErrors>
    </BaseForm>
  );
}

const NONE: Record<string, string> = {};

/** The name and the label of a field, without what it says in parentheses. */
function readLabel(element: Element): [name: string, label: string] {
  const { labels } = element as HTMLInputElement;
  return [element.getAttribute("name") ?? "", labels?.[0]?.textContent.replace(/ \([^)]*\)$/, "") ?? ""];
}

function messagesOf(
  error: Error | null,
  empty: EmptyMessages = {},
  labels: ReadonlyMap<string, string>,
): Record<string, string> {
  if (!(error instanceof RequestError)) return NONE;
  const messages = error.issues.map(({ path: place, code, message }) => {
    // A field with a list names no item.
    const path = labels.has(place) ? place : place.replace(/\.\d+$/, "");
    const isEmpty = code === "required" || (code === "too_small" && message.includes(" at least 1 "));
    return [path, (isEmpty && empty[path]) || asSentence(message, labels.get(path))];
  });
  return Object.fromEntries(messages);
}

/** The server's message about a field as a sentence, such as "Enter a URL", or "Amount must be at least 1". */
export function asSentence(message: string, label: string | undefined): string {
  if (/^Must be an? /.test(message)) return message.replace("Must be", "Enter");
  const needsSubject = label && /^(Must|Is|Has|Cannot|Contains) /.test(message);
  return needsSubject ? `${label} ${message.charAt(0).toLowerCase()}${message.slice(1)}` : message;
}

interface TextFieldProps extends Omit<ComponentProps<typeof Field.Control>, "name"> {
  name: string;
  label: string | ReactElement;
  hint?: ReactNode;
  /** Finds what is wrong with a text that is not empty. */
  validate?: (text: string) => string | null;
}

/** A field for a text. All fields of a form are checked together, and name what is wrong in their own words. */
export function TextField({ name, label, hint, required, validate, ...rest }: TextFieldProps) {
  const check = (value: unknown) => {
    const text = String(value ?? "").trim();
    if (text !== "") return validate?.(text) ?? null;
    return required && typeof label === "string" ? copy.required(label) : null;
  };
  return (
    <Field.Root name={name} className={styles.field} validate={check}>
      <Field.Label className={styles.label}>{label}</Field.Label>
      <Field.Control className={styles.input} autoComplete="off" aria-required={required} {...rest} />
      {hint && <Field.Description className={styles.hint}>{hint}</Field.Description>}
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
  // The control is an element that a label around it does not name.
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

export const readText = (values: FormData, name: string) => String(values.get(name) ?? "").trim();
