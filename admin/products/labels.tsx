import { addAmounts, isPositive, negate, tellMoney, tellNumber } from "../ui/values/money.ts";
import { Badge, type Tone } from "../ui/values/badge.tsx";
import type { Product } from "./product-queries.ts";

export const statuses = [
  ["ACTIVE", "Active"],
  ["DRAFT", "Draft"],
  ["ARCHIVED", "Archived"],
] as const;

const names = Object.fromEntries(statuses) as Record<Product["status"], string>;
const tones: Record<Product["status"], Tone> = { ACTIVE: "good", DRAFT: "warning", ARCHIVED: "neutral" };

export function StatusBadge({ status }: Pick<Product, "status">) {
  return <Badge tone={tones[status]}>{names[status]}</Badge>;
}

/** Units, and a word when there is none to sell. */
export function Stock({ units }: { units: number }) {
  return units > 0 ? tellNumber(units) : <Badge tone="bad">{units === 0 ? "None" : tellNumber(units)}</Badge>;
}

const compare = (one: string, other: string) => {
  const difference = addAmounts(one, negate(other));
  return isPositive(difference) ? 1 : isPositive(negate(difference)) ? -1 : 0;
};

/** The prices of variants: one, or from the lowest to the highest. */
export function tellPrices(variants: readonly { price: string }[], currency: string): string {
  const prices = variants.map(({ price }) => price).toSorted(compare);
  const [lowest, highest] = [tellMoney(prices[0]!, currency), tellMoney(prices.at(-1)!, currency)];
  return lowest === highest ? lowest : `${lowest} – ${highest}`;
}

export const nameVariant = ({ title }: { title: string }) => (title === "Default Title" ? "The only variant" : title);
