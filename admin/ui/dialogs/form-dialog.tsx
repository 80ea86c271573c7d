import { useState, type ReactNode } from "react";
import { Button } from "../button.tsx";
import { Form, type EmptyMessages } from "../forms/form.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { copy } from "../copy.ts";

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The text of the submit button. */
  label: string;
  /** The text of the cancel button. */
  dismissal?: string;
  isDanger?: boolean;
  empty?: EmptyMessages;
  isDrawer?: boolean;
  mutation: { error: Error | null; isPending: boolean; mutate: (values: FormData) => void };
  /** Data that the dialog shows is loading, so it can't be submitted yet. */
  isWaiting?: boolean;
  /** Called with the values when a field changes. */
  onChange?: (values: FormData) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** A dialog with a form that runs a mutation, one at a time, and shows its error. Once filled, only its buttons close it. */
export function FormDialog({
  label,
  dismissal = copy.cancel,
  isDanger,
  empty,
  isWaiting = false,
  mutation,
  onChange,
  children,
  ...dialog
}: FormDialogProps) {
  const isBusy = mutation.isPending || isWaiting;
  const [isFilled, setFilled] = useState(false);
  return (
    <Dialog open isFilled={isFilled} {...dialog}>
      <Form
        error={mutation.error}
        empty={empty}
        onChange={(values) => {
          setFilled(true);
          onChange?.(values);
        }}
        onSubmit={(values) => !isBusy && mutation.mutate(values)}
      >
        {children}
        <DialogActions>
          <Button onClick={dialog.onClose}>{dismissal}</Button>
          <Button type="submit" variant={isDanger ? "danger" : "primary"} busy={isBusy}>
            {label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
