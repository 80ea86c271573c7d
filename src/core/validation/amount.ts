import { z } from "zod";
import type { InputIssue } from "../../platform/errors.ts";
import { Big, currencyDecimals, fitsCurrency } from "../../platform/money.ts";

export interface AmountBounds {
  moreThan?: number;
  atLeast?: number;
  atMost: number;
}

/** A decimal string within bounds, as the Decimal scalar makes them. */
export function amount({ moreThan, atLeast, atMost }: AmountBounds) {
  return z
    .string()
    .refine((text) => moreThan === undefined || new Big(text).gt(moreThan), {
      error: `Must be more than ${moreThan}`,
      params: { code: "too_small" },
    })
    .refine((text) => atLeast === undefined || new Big(text).gte(atLeast), {
      error: `Must be at least ${atLeast}`,
      params: { code: "too_small" },
    })
    .refine((text) => new Big(text).lte(atMost), { error: `Must be at most ${atMost}`, params: { code: "too_big" } });
}

/** Checks what no schema knows alone: the currency decides how many decimals an amount may have. */
export function checkDecimals(path: string, value: string | null | undefined, currency: string): InputIssue[] {
  if (value == null || fitsCurrency(value, currency)) return [];
  const message = `Must have at most ${currencyDecimals(currency)} decimal places in ${currency}`;
  return [{ path, code: "too_many_decimals", message }];
}
