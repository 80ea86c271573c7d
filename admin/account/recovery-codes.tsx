import { useMutation } from "@tanstack/react-query";
import { request } from "../request.ts";
import { FormDialog } from "../ui/dialogs/form-dialog.tsx";
import { readText } from "../ui/forms/read-fields.ts";
import { SecretDialog } from "../ui/dialogs/secret-dialog.tsx";
import { DisableSecondFactor, RegenerateRecoveryCodes, useAccountChange } from "./account-queries.ts";
import { BothFactors } from "./password-fields.tsx";

export function RecoveryCodesDialog({ codes, onClose }: { codes: readonly string[]; onClose: () => void }) {
  return (
    <SecretDialog
      title="Your recovery codes"
      description="Each stands in for a code of the app once. Keep them apart from it: without the app and without them you cannot log in."
      label="Recovery codes"
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
      title="Make new recovery codes"
      description="The codes that you have now stop working."
      label="Make new codes"
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
    () => "The second factor is off",
    onClose,
  );
  return (
    <FormDialog
      title="Turn the second factor off?"
      description="Your password alone opens your account then, and shops that require a second factor of you let you do nothing."
      label="Turn off"
      isDanger
      mutation={disable}
      onClose={onClose}
    >
      <BothFactors />
    </FormDialog>
  );
}
