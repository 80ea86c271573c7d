import { useMutation } from "@tanstack/react-query";
import { request } from "../request.ts";
import { CopyButton } from "../ui/values/copy.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { Facts, fact } from "../ui/page.tsx";
import styles from "./account.module.css";
import { BeginSecondFactor, ConfirmSecondFactor, useRefresh } from "./account-queries.ts";
import { PasswordField } from "./password-fields.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";

/** Asks for the password, then for a code of the app, and shows the recovery codes once. */
export function SetUpSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  const begin = useMutation({
    mutationFn: (values: FormData) => request(BeginSecondFactor, { password: String(values.get("password")) }),
    gcTime: 0,
  });
  const confirm = useMutation({
    mutationFn: (values: FormData) => request(ConfirmSecondFactor, { code: readText(values, "code") }),
    gcTime: 0,
  });
  const codes = confirm.data?.confirmSecondFactor;
  const pending = begin.data?.beginSecondFactor;
  if (codes) {
    return (
      <RecoveryCodesDialog
        codes={codes}
        onClose={() => {
          onClose();
          void refresh();
        }}
      />
    );
  }
  if (pending) return <ConfirmDialog {...pending} mutation={confirm} onClose={onClose} />;
  return (
    <FormDialog
      title="Set up a second factor"
      description="You need an authenticator app, such as that of your phone or of your password manager."
      label="Continue"
      mutation={begin}
      onClose={onClose}
    >
      <PasswordField />
    </FormDialog>
  );
}

interface ConfirmProps {
  uri: string;
  secret: string;
  mutation: Parameters<typeof FormDialog>[0]["mutation"];
  onClose: () => void;
}

function ConfirmDialog({ uri, secret, mutation, onClose }: ConfirmProps) {
  const parts = secret.match(/.{1,4}/g)?.join(" ") ?? secret;
  return (
    <FormDialog
      title="Add the key to your app"
      description="Scan the code with the app, or choose “enter a setup key” there and type the key. Neither is shown again."
      label="Turn on"
      mutation={mutation}
      onClose={onClose}
    >
      <QrCode text={uri} label="QR code of the key" />
      <Facts
        facts={[
          fact(
            "Key",
            <span className={styles.key}>
              <code>{parts}</code> <CopyButton text={secret} label="Copy the key" />
            </span>,
          ),
          fact(
            "Or",
            <span className={styles.key}>
              <a href={uri}>Open in an app on this device</a> <CopyButton text={uri} label="Copy the address" />
            </span>,
          ),
        ]}
      />
      <TextField
        name="code"
        label="Code"
        hint="The six digits that the app shows now."
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus
      />
    </FormDialog>
  );
}
