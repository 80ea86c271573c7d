import Big from "big.js";

// Money never becomes a binary fraction: amounts are decimal strings in the core and `numeric` in
// PostgreSQL. Only the REST API, whose contract says "JSON number", converts at its edge.

/** A currency, and the decimal places of its amounts: those of a shop. */
export interface Currency {
  /** ISO 4217 code. */
  currency: string;
  currencyDecimals: number;
}

/** Digits before the decimal point. */
const MAX_WHOLE_DIGITS = 12;
/** Significant digits that a JSON number keeps, whichever they are. */
const MAX_DIGITS = 15;

/**
 * The largest amount of the currency, of which every amount is exact as a JSON number: "999999999999.99" for EUR. Where it
 * has four decimals, one digit less is before the point.
 */
export function largestAmount({ currencyDecimals }: Pick<Currency, "currencyDecimals">): string {
  const digits = Math.min(MAX_WHOLE_DIGITS, MAX_DIGITS - currencyDecimals);
  return new Big(10).pow(digits).minus(new Big(10).pow(-currencyDecimals)).toFixed();
}

/** Tells whether the amount has no more decimal places than the currency. */
export function fitsCurrency(amount: Big | string, { currencyDecimals }: Currency): boolean {
  const value = new Big(amount);
  return value.eq(value.round(currencyDecimals, Big.roundDown));
}

/** The amount with all decimal places of its currency, as it is stored and shown: "14.50" for EUR, "1450" for JPY. */
export function inCurrency(amount: Big | string, { currencyDecimals }: Currency): string {
  return new Big(amount).toFixed(currencyDecimals);
}

/** Sum of decimal strings. */
export function sum(amounts: Iterable<string>): string {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}

/** The shortest decimal that the JSON number stands for: 0.1 is "0.1", not what its bits add up to. */
export function decimalOf(value: number): string {
  return new Big(value).toFixed();
}

export { Big };
