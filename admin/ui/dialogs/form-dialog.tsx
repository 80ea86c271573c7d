import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Form } from "../forms/form.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";

export interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** The text of the button that does it. */
  label: string;
  /** The text of the button that leaves all as it is. */
  dismissal?: string;
  isDanger?: boolean;
  isDrawer?: boolean;
  mutation: { error: Error | null; isPending: boolean; mutate: (values: FormData) => void };
  /** What the dialog shows is being asked for: it cannot be sent yet. */
  isWaiting?: boolean;
  /** Called with the values after each change of a field. */
  onChange?: (values: FormData) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for what a change needs and carries it out, once at a time. What is refused is said in it. */
export function FormDialog({
  label,
  dismissal = "Cancel",
  isDanger,
  isWaiting = false,
  mutation,
  onChange,
  children,
  ...dialog
}: FormDialogProps) {
  const isBusy = mutation.isPending || isWaiting;
  return (
    <Dialog open {...dialog}>
      <Form error={mutation.error} onChange={onChange} onSubmit={(values) => !isBusy && mutation.mutate(values)}>
        {children}
        <DialogActions>
          <Button onClick={dialog.onClose}>{dismissal}</Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} busy={isBusy}>
            {label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
