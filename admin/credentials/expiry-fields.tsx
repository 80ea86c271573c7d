import { Choice } from "../ui/forms/select.tsx";
import { hoursAway } from "../ui/values/time.tsx";
import { copy } from "./copy.ts";

const lifetimes = [
  ["never", copy.lifetime.never],
  ["1", copy.lifetime.day],
  ["30", copy.lifetime.days(30)],
  ["90", copy.lifetime.days(90)],
  ["365", copy.lifetime.year],
] as const;

export type Lifetime = (typeof lifetimes)[number][0];

/** The field for when a credential expires. */
export function LifetimeField({ value, onChange }: { value: Lifetime; onChange: (lifetime: Lifetime) => void }) {
  return <Choice name="expiresAt" label={copy.lifetime.label} value={value} options={lifetimes} onChange={onChange} />;
}

/** The time when a credential created now expires; null for never. */
export const expiryOf = (lifetime: Lifetime) => (lifetime === "never" ? null : hoursAway(24 * Number(lifetime)));

const overlaps = [
  ["0", copy.overlap.now],
  ["1", copy.overlap.hour],
  ["24", copy.overlap.day],
  ["168", copy.overlap.week],
] as const;

export type Overlap = (typeof overlaps)[number][0];

interface OverlapFieldProps {
  label: string;
  hint: string;
  value: Overlap;
  onChange: (overlap: Overlap) => void;
}

/** The field for when an old secret expires after its rotation. */
export function OverlapField(props: OverlapFieldProps) {
  return <Choice name="overlapHours" options={overlaps} {...props} />;
}
