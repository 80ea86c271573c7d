import { Badge } from "../ui/values/badge.tsx";
import { formatNumber } from "../ui/values/money.ts";
import { copy } from "./copy.ts";

/** A number of units, highlighted when none are left. */
export function Units({ count }: { count: number }) {
  return count > 0 ? (
    formatNumber(count)
  ) : (
    <Badge tone="bad">{count === 0 ? copy.outOfStock : formatNumber(count)}</Badge>
  );
}
