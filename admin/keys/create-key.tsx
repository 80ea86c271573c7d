import { useState } from "react";
import { AccessFields } from "../credentials/access.tsx";
import { endOf, LifetimeField, type Lifetime } from "../credentials/lifetime-field.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { CreateKey, things, type ApiScope } from "./key-queries.ts";

export const KEY_USE =
  "Give it to a server of yours, and never to a browser or an app: whoever has it may do what it may.";

interface CreateKeyDialogProps {
  shopId: string;
  available: readonly ApiScope[];
  onClose: () => void;
}

/** Asks for a name, access and lifetime, and then shows the secret once. */
export function CreateKeyDialog({ shopId, available, onClose }: CreateKeyDialogProps) {
  const [scopes, setScopes] = useState<ApiScope[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>("never");
  const make = async (values: FormData) => {
    const input = { name: readText(values, "name"), scopes, expiresAt: endOf(lifetime) };
    const { secret, apiKey } = (await request(CreateKey, { shopId, input })).createApiKey;
    return { secret, title: `${apiKey.name} is ready` };
  };
  const lacks = things.some((thing) => !available.includes(`READ_${thing}`) || !available.includes(`WRITE_${thing}`));
  return (
    <MakeSecretDialog title="Create API key" label="Create key" make={make} use={KEY_USE} onClose={onClose}>
      <TextField name="name" label="Name" hint="Where it will be used, such as “ERP connector”." autoFocus />
      <AccessFields
        name="scopes"
        hint={lacks ? "Access that is greyed out is not part of the shop’s plan." : undefined}
        things={things}
        rights={scopes}
        available={available}
        onChange={setScopes}
      />
      <LifetimeField value={lifetime} onChange={setLifetime} />
    </MakeSecretDialog>
  );
}
