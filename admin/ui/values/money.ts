import { LOCALE } from "../copy.ts";

/**
 * Formats an amount of money with the decimals that it has. For some currencies, such as HUF, the browser
 * would use others.
 */
export function formatMoney(amount: string, currency: string): string {
  const decimals = decimalsOf(amount);
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  return new Intl.NumberFormat(LOCALE, { style: "currency", currency, ...digits }).format(amount as `${number}`);
}

const number = new Intl.NumberFormat(LOCALE);
const change = new Intl.NumberFormat(LOCALE, { signDisplay: "exceptZero" });

export const formatNumber = (value: number) => number.format(value);

/** Formats a number with its sign, such as "+3". */
export const formatChange = (value: number) => change.format(value);

/** An amount in the smallest unit that its decimals have. */
function readUnits(amount: string, decimals: number): bigint {
  const [whole, part = ""] = amount.split(".");
  return BigInt(whole + part.padEnd(decimals, "0"));
}

function writeUnits(units: bigint, decimals: number): string {
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, "0");
  const cut = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, cut)}.${digits.slice(cut)}`;
  return units < 0n ? `-${text}` : text;
}

const decimalsOf = (amount: string) => amount.split(".")[1]?.length ?? 0;

/** Adds decimal strings exactly. */
export function addAmounts(...amounts: string[]): string {
  const decimals = Math.max(0, ...amounts.map(decimalsOf));
  const total = amounts.reduce((sum, amount) => sum + readUnits(amount, decimals), 0n);
  return writeUnits(total, decimals);
}

const RATE_DECIMALS = 4;

/** The tax of a positive amount at a rate in percent: in the amount, or on top of it. Halves are rounded up. */
export function taxOf(amount: string, rate: string, isIncluded: boolean): string {
  const decimals = decimalsOf(amount);
  const percent = readUnits(rate, RATE_DECIMALS);
  const hundred = readUnits("100", RATE_DECIMALS);
  const parts = isIncluded ? hundred + percent : hundred;
  const twice = 2n * readUnits(amount, decimals) * percent;
  return writeUnits((twice + parts) / (2n * parts), decimals);
}

export const negate = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);
export const isZero = (amount: string) => !/[1-9]/.test(amount);
export const isPositive = (amount: string) => !amount.startsWith("-") && !isZero(amount);
