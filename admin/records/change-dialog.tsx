import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { RequestError } from "../request.ts";
import { FormDialog, type FormDialogProps } from "../ui/dialogs/form-dialog.tsx";
import { Notice } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import { copy } from "./copy.ts";

interface ChangeDialogProps<Result> extends Omit<FormDialogProps, "mutation"> {
  change: (values: FormData) => Promise<Result>;
  /** Shown as a toast after the change. */
  successMessage: string;
  /** Called before the shop's pages reload their data. */
  onDone?: (result: Result) => Promise<void> | void;
}

/** A dialog that changes a record. Afterward the shop's pages reload their data. */
export function ChangeDialog<Result>({
  change,
  successMessage,
  onDone,
  children,
  ...dialog
}: ChangeDialogProps<Result>) {
  const client = useQueryClient();
  const { id: shopId } = useShop();
  const refresh = () => client.invalidateQueries({ queryKey: ["records", shopId] });
  const mutation = useMutation({
    mutationFn: async (values: FormData) => change(values),
    gcTime: 0,
    onSuccess: async (result) => {
      toast(successMessage);
      dialog.onClose();
      await onDone?.(result);
      await refresh();
    },
    onError: (error) => isConflict(error) && refresh(),
  });
  const hasConflict = isConflict(mutation.error);
  return (
    <FormDialog {...dialog} mutation={{ ...mutation, error: hasConflict ? null : mutation.error }}>
      {hasConflict && <Notice tone="warning">{copy.conflict}</Notice>}
      {children}
    </FormDialog>
  );
}

const isConflict = (error: unknown) => error instanceof RequestError && error.code === "VERSION_CONFLICT";
