import { useState } from "react";
import { ChangeDialog, MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { readText, TextField } from "../ui/forms/form.tsx";
import { Sentence } from "../ui/sentence.tsx";
import { Time } from "../ui/values/time.tsx";
import { AccessFields, rightsTo, type Resource, type Right } from "./access.tsx";
import { listOf } from "./allowed-addresses.tsx";
import { RotateKey, type Credential } from "./credential-queries.ts";
import { expiryOf, LifetimeField, OverlapField, type Lifetime, type Overlap } from "./expiry-fields.tsx";
import type { Kind } from "./kinds.ts";
import { copy, keys } from "./copy.ts";

interface CreateDialogProps<Name extends Resource> {
  shopId: string;
  kind: Kind<Name>;
  /** The rights that the plan includes; all by default. */
  available: readonly string[] | undefined;
  onClose: () => void;
}

/** Creates a credential and shows its secret once. */
export function CreateDialog<Name extends Resource>({ shopId, kind, available, onClose }: CreateDialogProps<Name>) {
  const { texts, resources, Example } = kind;
  const hasAddresses = kind.rights === "scopes";
  const [rights, setRights] = useState<Right<Name>[]>([]);
  const [lifetime, setLifetime] = useState<Lifetime>("never");
  const make = async (values: FormData) => {
    const input = {
      name: readText(values, "name"),
      rights,
      expiresAt: expiryOf(lifetime),
      ...(hasAddresses && { allowedAddresses: listOf(readText(values, "allowedAddresses")) }),
    };
    const { secret, credential } = await kind.create(shopId, input);
    const example = Example && <Example shopId={shopId} secret={secret} scopes={rights} />;
    return { secret, example, title: copy.created(credential.name) };
  };
  const all = rightsTo(resources);
  const isUnlimited = available && all.every((right) => available.includes(right));
  return (
    <MakeSecretDialog
      title={texts.createTitle}
      label={texts.create}
      empty={texts.emptyFields}
      make={make}
      use={texts.secretHint}
      onClose={onClose}
    >
      <TextField name="name" label={copy.name} hint={texts.nameHint} autoFocus />
      <AccessFields
        name={kind.rights}
        hint={isUnlimited ? undefined : texts.accessHint}
        resources={resources}
        rights={rights}
        available={available ?? all}
        withoutRoute={kind.withoutRoute}
        onChange={setRights}
      />
      <LifetimeField value={lifetime} onChange={setLifetime} />
      {hasAddresses && (
        <TextField
          name="allowedAddresses"
          label={keys.allowed.optional}
          hint={keys.allowed.hint}
          render={<textarea rows={2} />}
        />
      )}
    </MakeSecretDialog>
  );
}

interface ChangeProps {
  shopId: string;
  kind: Pick<Kind, "texts" | "rename" | "revoke">;
  credential: Credential;
  onClose: () => void;
}

export function RenameDialog({ shopId, kind, credential: { id, name }, onClose }: ChangeProps) {
  return (
    <ChangeDialog
      title={copy.renameTitle(name)}
      label={copy.rename}
      empty={kind.texts.emptyFields}
      change={(values) => request(kind.rename, { shopId, id, name: readText(values, "name") })}
      successMessage={kind.texts.renamed}
      onClose={onClose}
    >
      <TextField name="name" label={copy.name} defaultValue={name} autoFocus />
    </ChangeDialog>
  );
}

/** Replaces a key with a new one and shows the new secret once. The old key can work for a while. */
export function RotateDialog({ shopId, credential: { id, name }, onClose }: ChangeProps) {
  const [overlap, setOverlap] = useState<Overlap>("24");
  const make = async () => {
    const { rotateApiKey } = await request(RotateKey, { shopId, id, input: { overlapHours: Number(overlap) } });
    return { secret: rotateApiKey.secret, title: keys.rotated(name) };
  };
  return (
    <MakeSecretDialog
      title={keys.rotateTitle(name)}
      description={keys.rotateText}
      label={keys.rotateSubmit}
      make={make}
      use={keys.secretHint}
      onClose={onClose}
    >
      <OverlapField label={keys.oldKey} hint={keys.oldKeyHint} value={overlap} onChange={setOverlap} />
    </MakeSecretDialog>
  );
}

/** Revokes a credential, after showing when it was last used. */
export function RevokeDialog({ shopId, kind, credential: { id, name, lastUsedAt, rights }, onClose }: ChangeProps) {
  const keepsEndpoints = (rights as readonly string[]).includes("MANAGE_OWN_WEBHOOK_ENDPOINTS");
  return (
    <ChangeDialog
      title={copy.revokeTitle(name)}
      description={
        <>
          {lastUsedAt ? (
            <Sentence text={copy.revokeUsed} parts={{ time: <Time value={lastUsedAt} /> }} />
          ) : (
            copy.revokeUnused
          )}{" "}
          {keepsEndpoints && copy.keepsEndpoints}
        </>
      }
      label={kind.texts.revoke}
      isDanger
      change={() => request(kind.revoke, { shopId, id })}
      successMessage={kind.texts.revoked}
      onClose={onClose}
    />
  );
}
