import type { ReactNode } from "react";
import { Button } from "../button.tsx";
import { Dialog, DialogActions } from "./dialog.tsx";
import { Form } from "../forms/form.tsx";

interface FormDialogProps {
  title: string;
  description?: ReactNode;
  /** On the button that does it. */
  label: string;
  isDanger?: boolean;
  mutation: { error: Error | null; isPending: boolean; mutate: (values: FormData) => void };
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for what a change needs and carries it out, once at a time. What is refused is said in it. */
export function FormDialog({ title, description, label, isDanger, mutation, onClose, children }: FormDialogProps) {
  return (
    <Dialog open title={title} description={description} onClose={onClose}>
      <Form error={mutation.error} onSubmit={(values) => !mutation.isPending && mutation.mutate(values)}>
        {children}
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} busy={mutation.isPending}>
            {label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
