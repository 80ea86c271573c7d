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
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for what a change needs and carries it out, once at a time. What is refused is said in it. */
export function FormDialog({ label, dismissal = "Cancel", isDanger, mutation, children, ...dialog }: FormDialogProps) {
  return (
    <Dialog open {...dialog}>
      <Form error={mutation.error} onSubmit={(values) => !mutation.isPending && mutation.mutate(values)}>
        {children}
        <DialogActions>
          <Button onClick={dialog.onClose}>{dismissal}</Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} busy={mutation.isPending}>
            {label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
