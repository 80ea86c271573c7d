import { Select } from "../ui/forms/select.tsx";
import { copy } from "./copy.ts";
import { statuses, type CredentialStatus } from "./statuses.ts";

interface StatusFilterProps {
  status: CredentialStatus | undefined;
  onChange: (status: CredentialStatus | undefined) => void;
}

/** Filters a list of credentials by their status. */
export function StatusFilter({ status, onChange }: StatusFilterProps) {
  return (
    <Select<CredentialStatus>
      label={copy.status}
      none={copy.anyStatus}
      value={status}
      options={statuses}
      onChange={onChange}
    />
  );
}
