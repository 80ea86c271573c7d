import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useShop } from "../queries.ts";
import { FormDialog, type FormDialogProps } from "../ui/dialogs/form-dialog.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";

interface MakeSecretDialogProps extends Omit<FormDialogProps, "mutation"> {
  /** Returns the secret, the title of the dialog that shows it, and how to use it. */
  make: (values: FormData) => Promise<{ title: string; secret: string; example?: ReactNode }>;
  /** What the secret is for and where to store it. */
  use: string;
}

/** A form that creates a secret and then shows it once. */
export function MakeSecretDialog({ make, use, ...dialog }: MakeSecretDialogProps) {
  const client = useQueryClient();
  const { id: shopId } = useShop();
  const mutation = useMutation({
    mutationFn: make,
    // Drops the secret with the dialog.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId] }),
  });
  if (!mutation.data) return <FormDialog {...dialog} mutation={mutation} />;
  return <SecretDialog {...mutation.data} description={use} onClose={dialog.onClose} />;
}
