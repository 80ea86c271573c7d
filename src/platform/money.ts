import Big from "big.js";

// Money is never a binary fraction: amounts are decimal strings in the core and `numeric` in PostgreSQL. Only the REST
// API converts, because its contract requires JSON numbers.

/** A shop's currency, with the decimal places of its amounts. */
export interface Currency {
  /** ISO 4217 code. */
  currency: string;
  currencyDecimals: number;
}

/** Digits before the decimal point. */
const MAX_WHOLE_DIGITS = 12;
/** Significant digits that a JSON number always represents exactly. */
const MAX_DIGITS = 15;

/**
 * The largest amount of the currency: "999999999999.99" for EUR. Every amount up to it is exact as a JSON number, so a
 * currency with four decimals has one digit less before the point.
 */
export function largestAmount({ currencyDecimals }: Pick<Currency, "currencyDecimals">): string {
  const digits = Math.min(MAX_WHOLE_DIGITS, MAX_DIGITS - currencyDecimals);
  const whole = "9".repeat(digits);
  return currencyDecimals === 0 ? whole : `${whole}.${"9".repeat(currencyDecimals)}`;
}

/** Returns true when the amount has no more decimal places than the currency. */
export function fitsCurrency(amount: Big | string, { currencyDecimals }: Currency): boolean {
  const value = new Big(amount);
  return value.eq(value.round(currencyDecimals, Big.roundDown));
}

/** The amount with all decimal places of its currency: "14.50" for EUR, "1450" for JPY. */
export function inCurrency(amount: Big | string, { currencyDecimals }: Currency): string {
  return new Big(amount).toFixed(currencyDecimals);
}

/** The sum of decimal strings. */
export function sum(amounts: Iterable<string>): string {
  let total = new Big(0);
  for (const amount of amounts) total = total.plus(amount);
  return total.toFixed();
}

/** The shortest decimal of a JSON number: 0.1 becomes "0.1". */
export function decimalOf(value: number): string {
  return new Big(value).toFixed();
}

export { Big };
