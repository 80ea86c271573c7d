import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { FieldGroup, Form, TextField } from "../ui/forms/form.tsx";
import { Select } from "../ui/forms/select.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { CreateKey, type ApiScope } from "./key-queries.ts";
import { ScopeFields } from "./scopes.tsx";

const DAY = 86_400_000;
const lifetimes = [
  ["1", "A day"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const;

export const KEY_WARNING =
  "Give it to a server of yours, and never to a browser or an app: whoever has it may do what it may.";

interface CreateKeyDialogProps {
  shopId: string;
  available: readonly ApiScope[];
  onClose: () => void;
}

/** Asks for a name, access and lifetime, and then shows the secret once. */
export function CreateKeyDialog({ shopId, available, onClose }: CreateKeyDialogProps) {
  const client = useQueryClient();
  const [scopes, setScopes] = useState<ApiScope[]>([]);
  const [days, setDays] = useState<(typeof lifetimes)[number][0]>();
  const create = useMutation({
    mutationFn: (name: string) => {
      const expiresAt = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
      return request(CreateKey, { shopId, input: { name, scopes, expiresAt } });
    },
    // The secret lives no longer than the dialog.
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys", shopId] }),
  });
  const created = create.data?.createApiKey;
  if (created) {
    return (
      <SecretDialog
        title={`${created.apiKey.name} is ready`}
        description={KEY_WARNING}
        secret={created.secret}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog open title="Create API key" onClose={onClose}>
      <Form error={create.error} onSubmit={(values) => !create.isPending && create.mutate(String(values.get("name")))}>
        <TextField name="name" label="Name" hint="Where it will be used, such as “ERP connector”." autoFocus />
        <ScopeFields chosen={scopes} available={available} onChange={setScopes} />
        <FieldGroup name="expiresAt" label="Ends after">
          <div>
            <Select label="Ends after" none="Never" value={days} options={lifetimes} onChange={setDays} />
          </div>
        </FieldGroup>
        <DialogActions>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create key
          </Button>
        </DialogActions>
      </Form>
    </Dialog>
  );
}
