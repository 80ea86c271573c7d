import { Choice } from "../ui/forms/choice.tsx";
import { hoursAway } from "../ui/values/moments.ts";

const lifetimes = [
  ["never", "Never"],
  ["1", "A day"],
  ["30", "30 days"],
  ["90", "90 days"],
  ["365", "A year"],
] as const;

export type Lifetime = (typeof lifetimes)[number][0];

/** Asks for the days after which a credential ends. */
export function LifetimeField({ value, onChange }: { value: Lifetime; onChange: (lifetime: Lifetime) => void }) {
  return <Choice name="expiresAt" label="Ends after" value={value} options={lifetimes} onChange={onChange} />;
}

/** The moment at which a lifetime ends that begins now; null when it does not. */
export const endOf = (lifetime: Lifetime) => (lifetime === "never" ? null : hoursAway(24 * Number(lifetime)));
