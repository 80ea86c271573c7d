import { useState } from "react";
import { AccessFields } from "../credentials/access.tsx";
import { expiryOf, LifetimeField, type Lifetime } from "../credentials/lifetime-field.tsx";
import { MakeSecretDialog } from "../records/make-secret-dialog.tsx";
import { request } from "../request.ts";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { CreateKey, resources, type ApiScope } from "./key-queries.ts";
import { KeyExample } from "./key-example.tsx";
import { copy } from "./copy.ts";

interface CreateKeyDialogProps {
  shopId: string;
  available: readonly ApiScope[];
  onClose: () => void;
}

/** Creates a key and shows its secret once. */
export function CreateKeyDialog({ shopId, available, onClose }: CreateKeyDialogProps) {
  const [scopes, setScopes] = useState<ApiScope[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>("never");
  const make = async (values: FormData) => {
    const input = { name: readText(values, "name"), scopes, expiresAt: expiryOf(lifetime) };
    const { secret, apiKey } = (await request(CreateKey, { shopId, input })).createApiKey;
    const example = <KeyExample shopId={shopId} secret={secret} scopes={scopes} />;
    return { secret, example, title: copy.created(apiKey.name) };
  };
  const isLimited = resources.some(
    (resource) => !available.includes(`READ_${resource}`) || !available.includes(`WRITE_${resource}`),
  );
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
        name="scopes"
        hint={isLimited ? copy.accessHint : undefined}
        resources={resources}
        rights={scopes}
        available={available}
        onChange={setScopes}
      />
      <LifetimeField value={lifetime} onChange={setLifetime} />
    </MakeSecretDialog>
  );
}
