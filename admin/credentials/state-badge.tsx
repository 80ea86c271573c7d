import { Badge } from "../ui/values/badge.tsx";
import { Time } from "../ui/values/time.tsx";
import type { CredentialStatus } from "./statuses.ts";

interface StateBadgeProps {
  status: CredentialStatus;
  expiresAt: string | null;
}

/** The state of a credential; nothing when it works without end. */
export function StateBadge({ status, expiresAt }: StateBadgeProps) {
  if (status === "REVOKED") return <Badge tone="bad">Revoked</Badge>;
  if (status === "EXPIRED") return <Badge>Expired</Badge>;
  if (!expiresAt) return null;
  return (
    <Badge tone="warning">
      ends <Time value={expiresAt} />
    </Badge>
  );
}
