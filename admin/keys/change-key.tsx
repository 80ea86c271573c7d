import { useState } from "react";
import { OverlapField, type Overlap } from "../credentials/overlap-field.tsx";
import { Revocation } from "../credentials/revocation.tsx";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { KEY_USE } from "./create-key.tsx";
import { RenameKey, RevokeKey, RotateKey, type ApiKey } from "./key-queries.ts";

interface ChangeProps {
  shopId: string;
  apiKey: ApiKey;
  onClose: () => void;
}

/** Puts a new key in the place of one, which lives on for a while, and shows the new secret once. */
export function RotateKeyDialog({ shopId, apiKey: { id, name }, onClose }: ChangeProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const make = async () => {
    const { rotateApiKey } = await request(RotateKey, { shopId, id, input: { overlapHours: Number(overlap) } });
    return { secret: rotateApiKey.secret, title: `${name} has a new secret` };
  };
  return (
    <MakeSecretDialog
      title={`Rotate ${name}`}
      description="A new key with the same access takes its place."
      label="Rotate key"
      make={make}
      use={KEY_USE}
      onClose={onClose}
    >
      <OverlapField
        label="The old key ends"
        hint="Until then both work, so that you can change over."
        value={overlap}
        onChange={setOverlap}
      />
    </MakeSecretDialog>
  );
}

export function RenameKeyDialog({ shopId, apiKey: { id, name }, onClose }: ChangeProps) {
  return (
    <ChangeDialog
      title={`Rename ${name}`}
      label="Rename"
      change={(values) => request(RenameKey, { shopId, id, input: { name: readText(values, "name") } })}
      told="The key is renamed"
      onClose={onClose}
    >
      <TextField name="name" label="Name" defaultValue={name} autoFocus />
    </ChangeDialog>
  );
}

export function RevokeKeyDialog({ shopId, apiKey: { id, name, lastUsedAt }, onClose }: ChangeProps) {
  return (
    <ChangeDialog
      title={`Revoke ${name}?`}
      description={<Revocation lastUsedAt={lastUsedAt} />}
      label="Revoke key"
      isDanger
      change={() => request(RevokeKey, { shopId, id })}
      told="The key is revoked"
      onClose={onClose}
    />
  );
}
