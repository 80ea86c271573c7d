import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { RequestError } from "../request.ts";
import { FormDialog, type FormDialogProps } from "../ui/dialogs/form-dialog.tsx";
import { Notice } from "../ui/states.tsx";
import { tell } from "../ui/toasts.tsx";

interface ChangeDialogProps<Result> extends Omit<FormDialogProps, "mutation"> {
  change: (values: FormData) => Promise<Result>;
  /** Said in passing once it is done. */
  told: string;
  /** Called before the pages are read anew. */
  onDone?: (result: Result) => Promise<void> | void;
}

/** Asks for what a change needs and carries it out. What the shop's pages show is read anew afterwards. */
export function ChangeDialog<Result>({ change, told, onDone, children, ...dialog }: ChangeDialogProps<Result>) {
  const client = useQueryClient();
  const { id: shopId } = useShop();
  const refresh = () => client.invalidateQueries({ queryKey: ["records", shopId] });
  const mutation = useMutation({
    mutationFn: async (values: FormData) => change(values),
    gcTime: 0,
    onSuccess: async (result) => {
      tell(told);
      dialog.onClose();
      await onDone?.(result);
      await refresh();
    },
    onError: (error) => isConflict(error) && refresh(),
  });
  const hasConflict = isConflict(mutation.error);
  return (
    <FormDialog {...dialog} mutation={{ ...mutation, error: hasConflict ? null : mutation.error }}>
      {hasConflict && (
        <Notice tone="warning">
          Somebody else changed this in the meantime, and nothing of yours was saved. The page shows it as it is now:
          check it, then send again what still applies.
        </Notice>
      )}
      {children}
    </FormDialog>
  );
}

const isConflict = (error: unknown) => error instanceof RequestError && error.code === "VERSION_CONFLICT";
