import { useState } from "react";
import { AccessFields } from "../credentials/access.tsx";
import { endOf, LifetimeField, type Lifetime } from "../credentials/lifetime-field.tsx";
import { Revocation } from "../credentials/revocation.tsx";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { CreateToken, RenameToken, RevokeToken, things, type Permission, type Token } from "./token-queries.ts";

/** Asks for a name, access and lifetime, and then shows the secret once. */
export function CreateTokenDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>("never");
  const make = async (values: FormData) => {
    const input = { name: readText(values, "name"), permissions, expiresAt: endOf(lifetime) };
    const { secret, serviceToken } = (await request(CreateToken, { shopId, input })).createServiceToken;
    return { secret, title: `${serviceToken.name} is ready` };
  };
  return (
    <MakeSecretDialog
      title="Create service token"
      label="Create token"
      make={make}
      use="Give it to a service of the shop’s own, which sends it as Authorization: Bearer to /graphql."
      onClose={onClose}
    >
      <TextField name="name" label="Name" hint="Which service it is for, such as “Till 3”." autoFocus />
      <AccessFields
        name="permissions"
        hint="Settings are for people alone."
        things={things}
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

export function RenameTokenDialog({ shopId, token: { id, name }, onClose }: ChangeProps) {
  return (
    <ChangeDialog
      title={`Rename ${name}`}
      label="Rename"
      change={(values) => request(RenameToken, { shopId, id, input: { name: readText(values, "name") } })}
      told="The token is renamed"
      onClose={onClose}
    >
      <TextField name="name" label="Name" defaultValue={name} autoFocus />
    </ChangeDialog>
  );
}

export function RevokeTokenDialog({ shopId, token: { id, name, lastUsedAt }, onClose }: ChangeProps) {
  return (
    <ChangeDialog
      title={`Revoke ${name}?`}
      description={<Revocation lastUsedAt={lastUsedAt} />}
      label="Revoke token"
      isDanger
      change={() => request(RevokeToken, { shopId, id })}
      told="The token is revoked"
      onClose={onClose}
    />
  );
}
