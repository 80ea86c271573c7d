import { z } from "zod";
import type { InputIssue } from "../model/errors.ts";
import { Big, fitsCurrency, largestAmount, type Currency } from "../../platform/money.ts";

export interface AmountBounds {
  moreThan?: number;
  atLeast?: number;
  atMost?: number;
}

type Fault = Pick<InputIssue, "code" | "message">;

/** A decimal string within limits, in the format of the Decimal scalar. Reports only the first mistake. */
export function amount(bounds: AmountBounds, currency?: Currency) {
  return z.string().superRefine((text, context) => {
    const value = new Big(text);
    const fault = findBoundsFault(value, bounds) ?? (currency && findCurrencyFault(value, currency));
    if (fault) context.addIssue({ code: "custom", message: fault.message, params: { code: fault.code } });
  });
}

const RATE_DECIMALS = 4;

/** A tax rate, in percent. */
export const taxRate = amount({ atLeast: 0, atMost: 100 }).refine(
  (rate) => new Big(rate).round(RATE_DECIMALS, Big.roundDown).eq(rate),
  { error: `Must have at most ${RATE_DECIMALS} decimal places`, params: { code: "too_many_decimals" } },
);

/** Checks the number of digits, which depends on the currency. */
export function checkDigits(path: string, value: string, currency: Currency): InputIssue[] {
  const fault = findCurrencyFault(new Big(value), currency);
  return fault ? [{ path, ...fault }] : [];
}

/** `checkDigits` for an amount with another limit, such as the amount left to pay. */
export function checkDecimals(path: string, value: string | null | undefined, currency: Currency): InputIssue[] {
  const fault = value == null ? undefined : findDecimalsFault(new Big(value), currency);
  return fault ? [{ path, ...fault }] : [];
}

function findBoundsFault(value: Big, { moreThan, atLeast, atMost }: AmountBounds): Fault | undefined {
  if (moreThan !== undefined && value.lte(moreThan)) {
    return { code: "too_small", message: `Must be more than ${moreThan}` };
  }
  if (atLeast !== undefined && value.lt(atLeast)) return { code: "too_small", message: `Must be at least ${atLeast}` };
  if (atMost !== undefined && value.gt(atMost)) return { code: "too_big", message: `Must be at most ${atMost}` };
  return undefined;
}

function findCurrencyFault(value: Big, shop: Currency): Fault | undefined {
  const largest = largestAmount(shop);
  if (value.gt(largest)) return { code: "too_big", message: `Must be at most ${largest}` };
  return findDecimalsFault(value, shop);
}

function findDecimalsFault(value: Big, shop: Currency): Fault | undefined {
  if (fitsCurrency(value, shop)) return undefined;
  const { currency, currencyDecimals } = shop;
  return { code: "too_many_decimals", message: `Must have at most ${currencyDecimals} decimal places in ${currency}` };
}
