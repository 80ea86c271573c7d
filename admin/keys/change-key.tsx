import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { request } from "../request.ts";
import { Button } from "../ui/button.tsx";
import { Dialog, DialogActions } from "../ui/dialogs/dialog.tsx";
import { FieldGroup, Form, TextField } from "../ui/forms/form.tsx";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Time } from "../ui/values/time.tsx";
import { tell } from "../ui/toasts.tsx";
import { KEY_WARNING } from "./create-key.tsx";
import { RenameKey, RevokeKey, RotateKey, type ApiKey } from "./key-queries.ts";

interface ChangeProps {
  shopId: string;
  apiKey: ApiKey;
  onClose: () => void;
}

const overlaps = [
  ["0", "At once"],
  ["1", "In an hour"],
  ["24", "In a day"],
  ["168", "In a week"],
] as const;

/** Puts a new key in the place of one, which lives on for a while, and shows the new secret once. */
export function RotateKeyDialog({ shopId, apiKey, onClose }: ChangeProps) {
  const client = useQueryClient();
  const [hours, setHours] = useState<(typeof overlaps)[number][0]>("24");
  const rotate = useMutation({
    mutationFn: () => request(RotateKey, { shopId, id: apiKey.id, input: { overlapHours: Number(hours) } }),
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["keys", shopId] }),
  });
  const created = rotate.data?.rotateApiKey;
  if (created) {
    return (
      <SecretDialog
        title={`${created.apiKey.name} has a new secret`}
        description={KEY_WARNING}
        secret={created.secret}
        onClose={onClose}
      />
    );
  }
  return (
    <Dialog
      open
      title={`Rotate ${apiKey.name}`}
      description="A new key with the same access takes its place."
      onClose={onClose}
    >
      <Form error={rotate.error} onSubmit={() => !rotate.isPending && rotate.mutate()}>
        <FieldGroup
          name="overlapHours"
          label="The old key ends"
          hint="Till then both work, so that you can change over."
        >
          <div>
            <Select
              label="The old key ends"
              value={hours}
              options={overlaps}
              onChange={(chosen) => setHours(chosen ?? "24")}
            />
          </div>
        </FieldGroup>
        <Actions label="Rotate key" busy={rotate.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

export function RenameKeyDialog({ shopId, apiKey, onClose }: ChangeProps) {
  const client = useQueryClient();
  const rename = useMutation({
    mutationFn: (name: string) => request(RenameKey, { shopId, id: apiKey.id, input: { name } }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["keys", shopId] });
      tell("The key has another name");
      onClose();
    },
  });
  return (
    <Dialog open title={`Rename ${apiKey.name}`} onClose={onClose}>
      <Form error={rename.error} onSubmit={(values) => !rename.isPending && rename.mutate(String(values.get("name")))}>
        <TextField name="name" label="Name" defaultValue={apiKey.name} autoFocus />
        <Actions label="Rename" busy={rename.isPending} onClose={onClose} />
      </Form>
    </Dialog>
  );
}

/** Says what would stop working, from when the key was last used. */
export function RevokeKeyDialog({ shopId, apiKey, onClose }: ChangeProps) {
  const client = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => request(RevokeKey, { shopId, id: apiKey.id }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ["keys", shopId] });
      tell("The key is revoked");
      onClose();
    },
  });
  const use = apiKey.lastUsedAt ? (
    <>
      It was last used <Time value={apiKey.lastUsedAt} />. Whatever uses it is refused from then on, and this cannot be
      undone.
    </>
  ) : (
    "It was never used. This cannot be undone."
  );
  return (
    <Dialog open title={`Revoke ${apiKey.name}?`} description={use} onClose={onClose}>
      <Form error={revoke.error} onSubmit={() => !revoke.isPending && revoke.mutate()}>
        <Actions label="Revoke key" busy={revoke.isPending} onClose={onClose} isDanger />
      </Form>
    </Dialog>
  );
}

function Actions({
  label,
  busy,
  onClose,
  isDanger = false,
}: {
  label: ReactNode;
  busy: boolean;
  onClose: () => void;
  isDanger?: boolean;
}) {
  return (
    <DialogActions>
      <Button onClick={onClose}>Cancel</Button>
      <Button type="submit" look={isDanger ? "danger" : "primary"} busy={busy}>
        {label}
      </Button>
    </DialogActions>
  );
}
