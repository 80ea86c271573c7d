import { useViewer } from "../queries.ts";
import { ChangeDialog, MakeSecretDialog } from "../records/change-dialog.tsx";
import { request } from "../request.ts";
import { CodeField } from "../session/code-field.tsx";
import { readText, TextField } from "../ui/forms/form.tsx";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import {
  BeginSecondFactor,
  ChangePassword,
  ConfirmSecondFactor,
  DisableSecondFactor,
  RegenerateRecoveryCodes,
  useRefresh,
} from "./account-queries.ts";
import { useMutation } from "@tanstack/react-query";
import { CopyButton } from "../ui/values/copy-button.tsx";
import { fact, Facts } from "../ui/page.tsx";
import styles from "./account.module.css";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { encode } from "uqr";
import { copy } from "./copy.ts";

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const { hasSecondFactor } = useViewer();
  const refresh = useRefresh();
  return (
    <ChangeDialog
      title={copy.password.dialogTitle}
      description={copy.password.dialogText}
      label={copy.password.change}
      change={(values) =>
        request(ChangePassword, {
          currentPassword: String(values.get("currentPassword")),
          newPassword: String(values.get("newPassword")),
          code: readText(values, "code") || null,
        })
      }
      successMessage={copy.password.done}
      onDone={refresh}
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
    </ChangeDialog>
  );
}

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
      <SecretDialog
        {...secretOf(codes)}
        description={copy.recoveryCodes.text}
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

const secretOf = (codes: readonly string[]) => ({
  title: copy.recoveryCodes.title,
  label: copy.recoveryCodes.label,
  secret: codes.join("\n"),
});

const readFactors = (values: FormData) => ({
  password: String(values.get("password")),
  code: readText(values, "code"),
});

export function NewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  return (
    <MakeSecretDialog
      title={copy.recoveryCodes.replaceTitle}
      description={copy.recoveryCodes.replaceText}
      label={copy.recoveryCodes.submit}
      make={async (values) =>
        secretOf((await request(RegenerateRecoveryCodes, readFactors(values))).regenerateRecoveryCodes)
      }
      use={copy.recoveryCodes.text}
      onClose={onClose}
    >
      <BothFactors />
    </MakeSecretDialog>
  );
}

export function DisableSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const refresh = useRefresh();
  return (
    <ChangeDialog
      title={copy.secondFactor.turnOffTitle}
      description={copy.secondFactor.turnOffText}
      label={copy.secondFactor.turnOff}
      isDanger
      change={(values) => request(DisableSecondFactor, readFactors(values))}
      successMessage={copy.secondFactor.turnedOff}
      onDone={refresh}
      onClose={onClose}
    >
      <BothFactors />
    </ChangeDialog>
  );
}

/** The field for the viewer's own password. */
function PasswordField({ name = "password", label = copy.yourPassword }: { name?: string; label?: string }) {
  return <TextField name={name} label={label} type="password" autoComplete="current-password" required autoFocus />;
}

/** The fields for password and code. Changes that weaken an account need both. */
function BothFactors() {
  return (
    <>
      <PasswordField />
      <CodeField />
    </>
  );
}

/** The quiet zone around the code, in modules. Scanners need it. */
const border = 4;

/** A QR code. */
function QrCode({ text, label }: { text: string; label: string }) {
  const { size, data } = encode(text, { border });
  const modules = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg
      className={styles.qr}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={modules.join("")} fill="#000" />
    </svg>
  );
}
