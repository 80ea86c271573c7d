import { useViewer } from "../queries.ts";
import { request } from "../request.ts";
import { CodeField } from "../session/code-field.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { ChangePassword, useAccountChange } from "./account-queries.ts";
import { PasswordField } from "./password-fields.tsx";

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { hasSecondFactor } = useViewer();
  const change = useAccountChange(
    (values) =>
      request(ChangePassword, {
        currentPassword: String(values.get("currentPassword")),
        newPassword: String(values.get("newPassword")),
        code: readText(values, "code") || null,
      }),
    () => "Your password is changed",
    onClose,
  );
  return (
    <FormDialog
      title="Change your password"
      description="You are logged out everywhere else."
      label="Change password"
      mutation={change}
      onClose={onClose}
    >
      <PasswordField name="currentPassword" label="Current password" />
      <TextField
        name="newPassword"
        label="New password"
        hint="At least 12 characters."
        type="password"
        autoComplete="new-password"
        required
      />
      {hasSecondFactor && <CodeField />}
    </FormDialog>
  );
}
