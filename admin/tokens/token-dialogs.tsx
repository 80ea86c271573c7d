import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { request } from "../request.ts";
import { ChangeDialog } from "../records/change-dialog.tsx";
import { FieldGroup, TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { Select } from "../ui/forms/select.tsx";
import { Time } from "../ui/values/time.tsx";
import { PermissionFields } from "./permissions.tsx";
import { CreateToken, RenameToken, RevokeToken, type Permission, type Token } from "./token-queries.ts";

const DAY = 86_400_000;
const lifetimes = [
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const;

/** Asks for a name, access and lifetime, and then shows the secret once. */
export function CreateTokenDialog({ shopId, onClose }: { shopId: string; onClose: () => void }) {
  const client = useQueryClient();
  const [permissions, setPermissions] = useState<Permission[]>([]);
  const [days, setDays] = useState<(typeof lifetimes)[number][0]>();
  const create = useMutation({
    mutationFn: (values: FormData) => {
      const expiresAt = days ? new Date(Date.now() + Number(days) * DAY).toISOString() : null;
      return request(CreateToken, { shopId, input: { name: readText(values, "name"), permissions, expiresAt } });
    },
    gcTime: 0,
    onSuccess: () => client.invalidateQueries({ queryKey: ["records", shopId] }),
  });
  const created = create.data?.createServiceToken;
  if (created) {
    return (
      <SecretDialog
        title={`${created.serviceToken.name} is ready`}
        description="Give it to a service of the shop's own, which sends it as Authorization: Bearer to /graphql."
        secret={created.secret}
        onClose={onClose}
      />
    );
  }
  return (
    <FormDialog title="Create service token" label="Create token" mutation={create} onClose={onClose}>
      <TextField name="name" label="Name" hint="Which service it is for, such as “Till 3”." autoFocus />
      <PermissionFields chosen={permissions} onChange={setPermissions} />
      <FieldGroup name="expiresAt" label="Ends after">
        <div>
          <Select label="Ends after" none="Never" value={days} options={lifetimes} onChange={setDays} />
        </div>
      </FieldGroup>
    </FormDialog>
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
      told="The token has another name"
      onClose={onClose}
    >
      <TextField name="name" label="Name" defaultValue={name} autoFocus />
    </ChangeDialog>
  );
}

/** Says what would stop working, from when the token was last used. */
export function RevokeTokenDialog({ shopId, token: { id, name, lastUsedAt }, onClose }: ChangeProps) {
  const use = lastUsedAt ? (
    <>
      It was last used <Time value={lastUsedAt} />. Whatever uses it is refused from then on, and this cannot be undone.
    </>
  ) : (
    "It was never used. This cannot be undone."
  );
  return (
    <ChangeDialog
      title={`Revoke ${name}?`}
      description={use}
      label="Revoke token"
      isDanger
      change={() => request(RevokeToken, { shopId, id })}
      told="The token is revoked"
      onClose={onClose}
    />
  );
}
