import { z } from "zod";
import type { InputIssue } from "../../platform/errors.ts";
import { Big, currencyDecimals, fitsCurrency } from "../../platform/money.ts";

export interface AmountBounds {
  moreThan?: number;
  atLeast?: number;
  atMost: number;
  /** The currency whose decimals it may have, where the schema knows it. */
  currency?: string;
}

/** A decimal string within bounds, as the Decimal scalar makes them. Of several faults the first is told. */
export function amount({ moreThan, atLeast, atMost, currency }: AmountBounds) {
  const rules: [code: string, error: string | undefined, holds: (value: Big) => boolean][] = [
    ["too_small", `Must be more than ${moreThan}`, (value) => moreThan === undefined || value.gt(moreThan)],
    ["too_small", `Must be at least ${atLeast}`, (value) => atLeast === undefined || value.gte(atLeast)],
    ["too_big", `Must be at most ${atMost}`, (value) => value.lte(atMost)],
    [
      "too_many_decimals",
      currency && tooManyDecimals(currency),
      (value) => currency === undefined || fitsCurrency(value, currency),
    ],
  ];
  return rules.reduce(
    (schema, [code, error, holds]) =>
      schema.refine((text) => holds(new Big(text)), { error, params: { code }, abort: true }),
    z.string(),
  );
}

/** Checks what no schema knows alone: the currency decides how many decimals an amount may have. */
export function checkDecimals(path: string, value: string | null | undefined, currency: string): InputIssue[] {
  if (value == null || fitsCurrency(value, currency)) return [];
  return [{ path, code: "too_many_decimals", message: tooManyDecimals(currency) }];
}

function tooManyDecimals(currency: string): string {
  return `Must have at most ${currencyDecimals(currency)} decimal places in ${currency}`;
}
