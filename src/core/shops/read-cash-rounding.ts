import { usualCashRounding } from "../../platform/currencies.ts";
import { Big, inCurrency, type Currency } from "../../platform/money.ts";
import { invalidInput } from "../model/errors.ts";

/** The values of the smallest coins and notes in use. */
const STEPS = ["0.005", "0.01", "0.05", "0.10", "0.25", "0.50", "1", "5", "10", "50", "100", "500", "1000"];

/** The amounts to whose multiples cash can be rounded in a currency: 0 for no rounding, and then upward. */
export function listCashRoundings(shop: Currency): string[] {
  const smallest = new Big(10).pow(-shop.currencyDecimals);
  return ["0", ...STEPS.filter((step) => smallest.lt(step))].map((step) => inCurrency(step, shop));
}

/** Reads a rounding of cash. @throws AppError VALIDATION_FAILED unless it rounds amounts of the currency */
export function readCashRounding(step: string, shop: Currency): string {
  const allowed = listCashRoundings(shop);
  // As numbers, because an operator's text may be none.
  const chosen = allowed.find((each) => Number(each) === Number(step));
  if (chosen !== undefined) return chosen;
  const usual = usualCashRounding.get(shop.currency);
  const offer = usual === undefined ? "" : `, usually ${inCurrency(usual, shop)}`;
  const message = `Must be ${allowed.join(", ").replace(/, ([^,]*)$/, " or $1")} in ${shop.currency}${offer}`;
  throw invalidInput([{ path: "cashRounding", code: "invalid_value", message }]);
}
