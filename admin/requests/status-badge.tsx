import { Badge } from "../ui/values/badge.tsx";

export function StatusBadge({ status }: { status: number }) {
  return <Badge tone={status < 400 ? "good" : status < 500 ? "warning" : "bad"}>{status}</Badge>;
}
