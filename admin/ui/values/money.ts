/**
 * Formats an amount of money in the browser's locale. It keeps the decimals of the amount: for some currencies, such
 * as HUF, the browser would use others.
 */
export function formatMoney(amount: string, currency: string): string {
  const decimals = amount.split(".")[1]?.length ?? 0;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(undefined, { style: "currency", currency, ...digits }).format(amount as `${number}`);
}

const number = new Intl.NumberFormat();
const change = new Intl.NumberFormat(undefined, { signDisplay: "exceptZero" });

export const formatNumber = (value: number) => number.format(value);

/** Formats a number with its sign, such as "+3". */
export const formatChange = (value: number) => change.format(value);

/** Adds decimal strings exactly. */
export function addAmounts(...amounts: string[]): string {
  const decimals = Math.max(0, ...amounts.map((amount) => amount.split(".")[1]?.length ?? 0));
  const total = amounts.reduce((sum, amount) => {
    const [whole, part = ""] = amount.split(".");
    return sum + BigInt(whole + part.padEnd(decimals, "0"));
  }, 0n);
  const digits = String(total < 0n ? -total : total).padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return total < 0n ? `-${text}` : text;
}

export const negate = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);
export const isZero = (amount: string) => !/[1-9]/.test(amount);
export const isPositive = (amount: string) => !amount.startsWith("-") && !isZero(amount);
