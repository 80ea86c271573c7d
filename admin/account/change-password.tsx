import { useViewer } from "../queries.ts";
import { request } from "../request.ts";
import { CodeField } from "../session/code-field.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { ChangePassword, useAccountChange } from "./account-queries.ts";
import { PasswordField } from "./password-fields.tsx";
import { copy } from "./copy.ts";

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { hasSecondFactor } = useViewer();
  const change = useAccountChange(
    (values) =>
      request(ChangePassword, {
        currentPassword: String(values.get("currentPassword")),
        newPassword: String(values.get("newPassword")),
        code: readText(values, "code") || null,
      }),
    () => copy.password.done,
    onClose,
  );
  return (
    <FormDialog
      title={copy.password.dialogTitle}
      description={copy.password.dialogText}
      label={copy.password.change}
      mutation={change}
      onClose={onClose}
    >
      <PasswordField name="currentPassword" label={copy.password.current} />
      <TextField
        name="newPassword"
        label={copy.password.new}
        hint={copy.password.newHint}
        type="password"
        autoComplete="new-password"
        required
      />
      {hasSecondFactor && <CodeField />}
    </FormDialog>
  );
}
