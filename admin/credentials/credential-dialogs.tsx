import { ChangeDialog } from "../records/change-dialog.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { Sentence } from "../ui/sentence.tsx";
import { Time } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

interface RenameDialogProps {
  name: string;
  successMessage: string;
  rename: (name: string) => Promise<unknown>;
  onClose: () => void;
}

/** Renames a credential. */
export function RenameDialog({ name, successMessage, rename, onClose }: RenameDialogProps) {
  return (
    <ChangeDialog
      title={copy.renameTitle(name)}
      label={copy.rename}
      empty={copy.emptyFields}
      change={(values) => rename(readText(values, "name"))}
      successMessage={successMessage}
      onClose={onClose}
    >
      <TextField name="name" label={copy.name} defaultValue={name} autoFocus />
    </ChangeDialog>
  );
}

interface RevokeDialogProps {
  credential: { name: string; lastUsedAt: string | null };
  label: string;
  successMessage: string;
  revoke: () => Promise<unknown>;
  onClose: () => void;
}

/** Revokes a credential, after showing when it was last used. */
export function RevokeDialog({ credential, label, successMessage, revoke, onClose }: RevokeDialogProps) {
  const { name, lastUsedAt } = credential;
  return (
    <ChangeDialog
      title={copy.revokeTitle(name)}
      description={
        lastUsedAt ? (
          <Sentence text={copy.revokeUsed} parts={{ time: <Time value={lastUsedAt} /> }} />
        ) : (
          copy.revokeUnused
        )
      }
      label={label}
      isDanger
      change={revoke}
      successMessage={successMessage}
      onClose={onClose}
    />
  );
}
