import { useMutation } from "@tanstack/react-query";
import { request } from "../request.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { DisableSecondFactor, RegenerateRecoveryCodes, useAccountChange } from "./account-queries.ts";
import { BothFactors } from "./password-fields.tsx";
import { copy } from "./copy.ts";

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <SecretDialog
      title={copy.recoveryCodes.title}
      description={copy.recoveryCodes.text}
      label={copy.recoveryCodes.label}
      secret={codes.join("\n")}
      onClose={onClose}
    />
  );
}

const readFactors = (values: FormData) => ({
  password: String(values.get("password")),
  code: readText(values, "code"),
});

export function NewRecoveryCodesDialog({ onClose }: { onClose: () => void }) {
  const renew = useMutation({
    mutationFn: (values: FormData) => request(RegenerateRecoveryCodes, readFactors(values)),
    gcTime: 0,
  });
  if (renew.data) return <RecoveryCodesDialog codes={renew.data.regenerateRecoveryCodes} onClose={onClose} />;
  return (
    <FormDialog
      title={copy.recoveryCodes.replaceTitle}
      description={copy.recoveryCodes.replaceText}
      label={copy.recoveryCodes.submit}
      mutation={renew}
      onClose={onClose}
    >
      <BothFactors />
    </FormDialog>
  );
}

export function DisableSecondFactorDialog({ onClose }: { onClose: () => void }) {
  const disable = useAccountChange(
    (values) => request(DisableSecondFactor, readFactors(values)),
    () => copy.secondFactor.turnedOff,
    onClose,
  );
  return (
    <FormDialog
      title={copy.secondFactor.turnOffTitle}
      description={copy.secondFactor.turnOffText}
      label={copy.secondFactor.turnOff}
      isDanger
      mutation={disable}
      onClose={onClose}
    >
      <BothFactors />
    </FormDialog>
  );
}
