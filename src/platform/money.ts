import Big from "big.js";

// Money never becomes a binary fraction: amounts are decimal strings in the core and `numeric` in
// PostgreSQL. Only the REST API, whose contract says "JSON number", converts at its edge.

const decimals = new Map<string, number>();

/** Decimal places of an ISO 4217 currency: 2 for EUR, 0 for JPY, 3 for KWD. */
export function currencyDecimals(currency: string): number {
  let known = decimals.get(currency);
  if (known === undefined) {
    known = new Intl.NumberFormat("en", { style: "currency", currency }).resolvedOptions().maximumFractionDigits ?? 2;
    decimals.set(currency, known);
  }
  return known;
}

/** Tells whether the amount has no more decimal places than the currency. */
export function fitsCurrency(amount: Big | string, currency: string): boolean {
  const value = new Big(amount);
  return value.eq(value.round(currencyDecimals(currency), Big.roundDown));
}

/** The amount with all decimal places of its currency, as it is stored and shown: "14.50" for EUR, "1450" for JPY. */
export function inCurrency(amount: Big | string, currency: string): string {
  return new Big(amount).toFixed(currencyDecimals(currency));
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
