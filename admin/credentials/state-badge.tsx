import { Badge } from "../ui/values/badge.tsx";
import { Time } from "../ui/values/time.tsx";
import type { CredentialStatus } from "./statuses.ts";
import { Sentence } from "../ui/sentence.tsx";
import { copy } from "./copy.ts";

interface StateBadgeProps {
  status: CredentialStatus;
  expiresAt: string | null;
}

/** The status of a credential; nothing when it is active and never expires. */
export function StateBadge({ status, expiresAt }: StateBadgeProps) {
  if (status === "REVOKED") return <Badge tone="bad">{copy.statuses.REVOKED}</Badge>;
  if (status === "EXPIRED") return <Badge>{copy.statuses.EXPIRED}</Badge>;
  if (!expiresAt) return null;
  return (
    <Badge tone="warning">
      <Sentence text={copy.expires} parts={{ time: <Time value={expiresAt} /> }} />
    </Badge>
  );
}
