import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { RequestError } from "../request.ts";
import { FormDialog, type FormDialogProps } from "../ui/dialogs/form-dialog.tsx";
import { Notice } from "../ui/states.tsx";
import { toast } from "../ui/toasts.tsx";
import type { ReactNode } from "react";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { copy } from "./copy.ts";

export interface ChangeDialogProps<Result> extends Omit<FormDialogProps, "mutation"> {
  change: (values: FormData) => Promise<Result>;
  /** Shown as a toast after the change. */
  successMessage: string | ((result: Result) => string);
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
      toast(typeof successMessage === "string" ? successMessage : successMessage(result));
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

/** Identifies a record in its shown version. A change fails if the record has changed since. */
export const asShown = ({ id, version }: { id: string; version: number }) => ({ id, expectedVersion: version });

/** The fields that the user changed. Sending only these keeps others' changes. */
export function changed<Fields extends Record<string, unknown>>(before: Fields, after: Fields): Partial<Fields> {
  const isChanged = ([name, value]: [string, unknown]) => JSON.stringify(value) !== JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(after).filter(isChanged)) as Partial<Fields>;
}

interface MakeSecretDialogProps extends Omit<FormDialogProps, "mutation"> {
  /**
   * Returns the secret, its label, the title of the dialog that shows it, and how to use it. Returns undefined after
   * leaving for another page, because there is no secret.
   */
  make: (
    values: FormData,
  ) => Promise<{ title: string; label?: string; secret: string; example?: ReactNode } | undefined>;
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
