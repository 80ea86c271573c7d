import { currencyDecimals } from "../../src/platform/currencies.ts";
import type { Currency } from "../../src/platform/money.ts";

/** The currency of new shops. */
export const currencyOf = (currency: string): Currency => ({
  currency,
  currencyDecimals: currencyDecimals.get(currency)!,
});
