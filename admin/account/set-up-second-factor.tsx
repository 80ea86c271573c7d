import { useMutation } from "@tanstack/react-query";
import { request } from "../request.ts";
import { CopyButton } from "../ui/values/copy-button.tsx";
import { TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { Facts, fact } from "../ui/page.tsx";
import styles from "./account.module.css";
import { BeginSecondFactor, ConfirmSecondFactor, useRefresh } from "./account-queries.ts";
import { PasswordField } from "./password-fields.tsx";
import { QrCode } from "./qr-code.tsx";
import { RecoveryCodesDialog } from "./recovery-codes.tsx";
import { copy } from "./copy.ts";

/** Sets up two-factor authentication: password, then a code from the app, then the recovery codes, shown once. */
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
      title={copy.secondFactor.setUpTitle}
      description={copy.secondFactor.setUpText}
      label={copy.secondFactor.next}
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
      title={copy.secondFactor.scanTitle}
      description={copy.secondFactor.scanText}
      label={copy.secondFactor.turnOn}
      mutation={mutation}
      onClose={onClose}
    >
      <QrCode text={uri} label={copy.secondFactor.qrCode} />
      <Facts
        facts={[
          fact(
            copy.secondFactor.key,
            <span className={styles.key}>
              <code>{parts}</code> <CopyButton text={secret} label={copy.secondFactor.copyKey} />
            </span>,
          ),
          fact(
            copy.secondFactor.link,
            <span className={styles.key}>
              <a href={uri}>{copy.secondFactor.openApp}</a> <CopyButton text={uri} label={copy.secondFactor.copyLink} />
            </span>,
          ),
        ]}
      />
      <TextField
        name="code"
        label={copy.secondFactor.code}
        hint={copy.secondFactor.codeHint}
        autoComplete="one-time-code"
        inputMode="numeric"
        required
        autoFocus
      />
    </FormDialog>
  );
}
