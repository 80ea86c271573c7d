import { z } from "zod";
import type { InputIssue } from "../errors.ts";
import { Big, currencyDecimals, fitsCurrency } from "../../platform/money.ts";

export interface AmountBounds {
  moreThan?: number;
  atLeast?: number;
  atMost: number;
  /** The currency whose decimals it may have, where the schema knows it. */
  currency?: string;
}

/** A decimal string within bounds, as the Decimal scalar makes them. Of several faults the first is told. */
export function amount(bounds: AmountBounds) {
  return z.string().superRefine((text, context) => {
    const [code, message] = faultOf(new Big(text), bounds) ?? [];
    if (code) context.addIssue({ code: "custom", message, params: { code } });
  });
}

function faultOf(value: Big, { moreThan, atLeast, atMost, currency }: AmountBounds): [string, string] | undefined {
  if (moreThan !== undefined && value.lte(moreThan)) return ["too_small", `Must be more than ${moreThan}`];
  if (atLeast !== undefined && value.lt(atLeast)) return ["too_small", `Must be at least ${atLeast}`];
  if (value.gt(atMost)) return ["too_big", `Must be at most ${atMost}`];
  if (currency && !fitsCurrency(value, currency)) return ["too_many_decimals", tooManyDecimals(currency)];
  return undefined;
}

/** Checks what no schema knows alone: the currency decides how many decimals an amount may have. */
export function checkDecimals(path: string, value: string | null | undefined, currency: string): InputIssue[] {
  if (value == null || fitsCurrency(value, currency)) return [];
  return [{ path, code: "too_many_decimals", message: tooManyDecimals(currency) }];
}

function tooManyDecimals(currency: string): string {
  return `Must have at most ${currencyDecimals(currency)} decimal places in ${currency}`;
}
