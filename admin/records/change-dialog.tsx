import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useShop } from "../queries.ts";
import { RequestError } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { Form } from "../ui/forms/form.tsx";
import { Notice } from "../ui/states.tsx";
import { tell } from "../ui/toasts.tsx";

interface ChangeDialogProps<Result> {
  title: string;
  description?: ReactNode;
  /** On the button that does it. */
  label: string;
  isDanger?: boolean;
  isDrawer?: boolean;
  change: (values: FormData) => Promise<Result>;
  /** What is said in passing once it is done. */
  told: string;
  onDone?: (result: Result) => void;
  onClose: () => void;
  children?: ReactNode;
}

/** Asks for what a change needs and carries it out. What the shop's pages show is read anew afterwards. */
export function ChangeDialog<Result>({ change, told, onDone, onClose, ...rest }: ChangeDialogProps<Result>) {
  const { title, description, label, isDanger = false, isDrawer, children } = rest;
  const client = useQueryClient();
  const { id: shopId } = useShop();
  const refresh = () => client.invalidateQueries({ queryKey: ["records", shopId] });
  const mutation = useMutation({
    mutationFn: async (values: FormData) => change(values),
    onSuccess: async (result) => {
      tell(told);
      onClose();
      onDone?.(result);
      await refresh();
    },
    onError: (error) => isConflict(error) && refresh(),
  });
  const hasConflict = isConflict(mutation.error);
  return (
    <Dialog open title={title} description={description} isDrawer={isDrawer} onClose={onClose}>
      <Form
        error={hasConflict ? null : mutation.error}
        onSubmit={(values) => !mutation.isPending && mutation.mutate(values)}
      >
        {hasConflict && (
          <Notice tone="warning">
            Somebody else changed it meanwhile, and nothing of yours was saved. The page shows how it is now: look it
            over, then send again what is still right.
          </Notice>
        )}
        {children}
        <DialogActions>
          <Button onClick={onClose}>{isDanger ? "Keep it" : "Cancel"}</Button>
          <Button type="submit" look={isDanger ? "danger" : "primary"} busy={mutation.isPending}>
            {label}
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}

const isConflict = (error: unknown) => error instanceof RequestError && error.code === "VERSION_CONFLICT";
