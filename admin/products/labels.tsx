import { addAmounts, formatMoney, isPositive, negate } from "../ui/values/money.ts";
import { Badge, type Tone } from "../ui/values/badge.tsx";
import type { Product } from "./product-queries.ts";
import { optionsOf } from "../ui/forms/select.tsx";
import { copy } from "./copy.ts";

export const statuses = optionsOf<Product["status"]>(copy.statuses);

const tones: Record<Product["status"], Tone> = { ACTIVE: "good", DRAFT: "warning", ARCHIVED: "neutral" };

export function StatusBadge({ status }: Pick<Product, "status">) {
  return <Badge tone={tones[status]}>{copy.statuses[status]}</Badge>;
}

const compare = (one: string, other: string) => {
  const difference = addAmounts(one, negate(other));
  return isPositive(difference) ? 1 : isPositive(negate(difference)) ? -1 : 0;
};

/** Formats the price range of variants. */
export function formatPrices(variants: readonly { price: string }[], currency: string): string {
  const prices = variants.map(({ price }) => price).toSorted(compare);
  const [lowest, highest] = [formatMoney(prices[0]!, currency), formatMoney(prices.at(-1)!, currency)];
  return lowest === highest ? lowest : copy.priceRange(lowest, highest);
}
