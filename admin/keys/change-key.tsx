import { useState } from "react";
import { RenameDialog, RevokeDialog } from "../credentials/credential-dialogs.tsx";
import { OverlapField, type Overlap } from "../credentials/overlap-field.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { copy } from "./copy.ts";
import { RenameKey, RevokeKey, RotateKey, type ApiKey } from "./key-queries.ts";

interface ChangeProps {
  shopId: string;
  apiKey: ApiKey;
  onClose: () => void;
}

/** Replaces a key with a new one and shows the new secret once. The old key can work for a while. */
export function RotateKeyDialog({ shopId, apiKey: { id, name }, onClose }: ChangeProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const make = async () => {
    const { rotateApiKey } = await request(RotateKey, { shopId, id, input: { overlapHours: Number(overlap) } });
    return { secret: rotateApiKey.secret, title: copy.rotated(name) };
  };
  return (
    <MakeSecretDialog
      title={copy.rotateTitle(name)}
      description={copy.rotateText}
      label={copy.rotateSubmit}
      make={make}
      use={copy.secretHint}
      onClose={onClose}
    >
      <OverlapField label={copy.oldKey} hint={copy.oldKeyHint} value={overlap} onChange={setOverlap} />
    </MakeSecretDialog>
  );
}

export function RenameKeyDialog({ shopId, apiKey, onClose }: ChangeProps) {
  return (
    <RenameDialog
      name={apiKey.name}
      successMessage={copy.renamed}
      rename={(name) => request(RenameKey, { shopId, id: apiKey.id, input: { name } })}
      onClose={onClose}
    />
  );
}

export function RevokeKeyDialog({ shopId, apiKey, onClose }: ChangeProps) {
  return (
    <RevokeDialog
      credential={apiKey}
      label={copy.revoke}
      successMessage={copy.revoked}
      revoke={() => request(RevokeKey, { shopId, id: apiKey.id })}
      onClose={onClose}
    />
  );
}
