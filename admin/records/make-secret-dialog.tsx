import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { FormDialog, type FormDialogProps } from "../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";

interface MakeSecretDialogProps extends Omit<FormDialogProps, "mutation"> {
  /** Answers the secret, and the title over it. */
  make: (values: FormData) => Promise<{ title: string; secret: string }>;
  /** The place where the secret belongs. */
  use: string;
}

/** Asks for what a new secret needs, and then shows the secret once. */
export function MakeSecretDialog({ make, use, ...dialog }: MakeSecretDialogProps) {
  const client = useQueryClient();
  const { id: shopId } = useShop();
  const mutation = useMutation({
    mutationFn: make,
    // The secret lives no longer than the dialog.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId] }),
  });
  if (!mutation.data) return <FormDialog {...dialog} mutation={mutation} />;
  return <SecretDialog {...mutation.data} description={use} onClose={dialog.onClose} />;
}
