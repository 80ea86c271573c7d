import { useState } from "react";
import { AccessFields } from "../credentials/access.tsx";
import { expiryOf, LifetimeField, type Lifetime } from "../credentials/lifetime-field.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { CreateToken, RenameToken, RevokeToken, resources, type Permission, type Token } from "./token-queries.ts";
import { RenameDialog, RevokeDialog } from "../credentials/credential-dialogs.tsx";
import { copy } from "./copy.ts";

/** Creates a service token and shows its secret once. */
export function CreateTokenDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>("never");
  const make = async (values: FormData) => {
    const input = { name: readText(values, "name"), permissions, expiresAt: expiryOf(lifetime) };
    const { secret, serviceToken } = (await request(CreateToken, { shopId, input })).createServiceToken;
    return { secret, title: copy.created(serviceToken.name) };
  };
  return (
    <MakeSecretDialog
      title={copy.createTitle}
      label={copy.create}
      empty={copy.emptyFields}
      make={make}
      use={copy.secretHint}
      onClose={onClose}
    >
      <TextField name="name" label={copy.name} hint={copy.nameHint} autoFocus />
      <AccessFields
        name="permissions"
        hint={copy.accessHint}
        resources={resources}
        rights={permissions}
        onChange={setPermissions}
      />
      <LifetimeField value={lifetime} onChange={setLifetime} />
    </MakeSecretDialog>
  );
}

interface ChangeProps {
  shopId: string;
  token: Token;
  onClose: () => void;
}

export function RenameTokenDialog({ shopId, token, onClose }: ChangeProps) {
  return (
    <RenameDialog
      name={token.name}
      successMessage={copy.renamed}
      rename={(name) => request(RenameToken, { shopId, id: token.id, input: { name } })}
      onClose={onClose}
    />
  );
}

export function RevokeTokenDialog({ shopId, token, onClose }: ChangeProps) {
  return (
    <RevokeDialog
      credential={token}
      label={copy.revoke}
      successMessage={copy.revoked}
      revoke={() => request(RevokeToken, { shopId, id: token.id })}
      onClose={onClose}
    />
  );
}
