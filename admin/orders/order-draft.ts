import { useQuery, keepPreviousData } from "@tanstack/react-query";
import { useShop } from "../queries.ts";
import { RequestError } from "../request.ts";
import { parseAmount } from "../ui/forms/amount-field.tsx";
import { quote, type Buyer, type NewOrder, type Sellable } from "./new-order-queries.ts";
import type { Payment } from "./order-queries.ts";
import { usePaused } from "./use-paused.ts";
import { copy } from "./copy.ts";

/** What has been typed of an order. */
export interface Draft {
  lines: readonly DraftLine[];
  discount: string;
  buyer?: Buyer | undefined;
  method?: Payment["method"] | undefined;
  amount: string;
  tendered: string;
}

export interface DraftLine {
  variant: Sellable;
  quantity: string;
  discount: string;
}

/** A reason why the order cannot be created, and the part of the order that has it, such as `lines.0.quantity`. */
export interface Problem {
  path: string;
  code?: string;
  message: string;
}

export const emptyDraft: Draft = { lines: [], discount: "", amount: "", tendered: "" };

/** Adds a unit of a variant. */
export const withVariant = (draft: Draft, variant: Sellable): Draft => {
  const isKnown = draft.lines.some((line) => line.variant.id === variant.id);
  const lines = isKnown
    ? draft.lines.map((line) =>
        line.variant.id === variant.id ? { ...line, quantity: String(Number(line.quantity) + 1) } : line,
      )
    : [...draft.lines, { variant, quantity: "1", discount: "" }];
  return { ...draft, lines };
};

/** Changes the line of a variant, or removes it. */
export const withLine = (draft: Draft, variantId: string, changed: Partial<DraftLine> | null): Draft => ({
  ...draft,
  lines: draft.lines.flatMap((line) => {
    if (line.variant.id !== variantId) return [line];
    return changed ? [{ ...line, ...changed }] : [];
  }),
});

/** Reads a draft as the server's input, with what is wrong with its texts. */
export function readDraft(draft: Draft, currencyDecimals: number) {
  const mistakes: Problem[] = [];
  const amountOf = (text: string, path: string) => {
    try {
      return parseAmount(text.trim(), path, currencyDecimals);
    } catch (error) {
      mistakes.push({ path, message: (error as Error).message });
      return null;
    }
  };
  const discountOf = (text: string, path: string) => {
    const percentage = /^(\d{1,3}(?:[.,]\d{1,4})?)\s*%$/.exec(text.trim())?.[1];
    if (percentage) return { percentage: percentage.replace(",", ".") };
    const amount = amountOf(text, path);
    return amount === null ? null : { amount };
  };
  const quantityOf = (text: string, path: string) => {
    const quantity = /^\d{1,6}$/.test(text.trim()) ? Number(text) : 0;
    if (quantity < 1 || quantity > 100_000) mistakes.push({ path, message: copy.create.invalidQuantity });
    return quantity;
  };
  const input: NewOrder = {
    channel: "POS",
    customerId: draft.buyer?.id ?? null,
    discount: discountOf(draft.discount, "discount.amount"),
    lines: draft.lines.map(({ variant, quantity, discount }, index) => ({
      variantId: variant.id,
      quantity: quantityOf(quantity, `lines.${index}.quantity`),
      discount: discountOf(discount, `lines.${index}.discount.amount`),
    })),
  };
  const canBeQuoted = draft.lines.length > 0 && mistakes.length === 0;
  const { method } = draft;
  const amount = amountOf(draft.amount, "payments.0.amount");
  const tendered = method === "CASH" ? amountOf(draft.tendered, "payments.0.tendered") : null;
  return { input, canBeQuoted, payment: method && { method, amount, tendered }, mistakes };
}

/** The price of a draft, as soon as the typing pauses. `isCurrent` is false while an older price is shown. */
export function useQuote(input: NewOrder, method: Payment["method"] | undefined, isEnabled: boolean) {
  const { id: shopId } = useShop();
  const wanted = JSON.stringify({ input, method: method ?? "CARD" });
  const asked = usePaused(wanted);
  const query = useQuery({
    queryKey: ["records", shopId, "quote", asked],
    queryFn: ({ signal }) =>
      quote({ shopId, ...(JSON.parse(asked) as { input: NewOrder; method: "CARD" }) }, { signal }),
    enabled: isEnabled && asked === wanted,
    placeholderData: keepPreviousData,
  });
  const isCurrent = isEnabled && asked === wanted && !query.isPlaceholderData && !query.isFetching;
  return { ...query, isCurrent };
}

/** The problems that an error names. */
export const problemsOf = (error: Error | null): readonly Problem[] => {
  if (!error) return [];
  return error instanceof RequestError && error.issues.length > 0
    ? error.issues
    : [{ path: "", message: error.message }];
};
