import { Big, inCurrency, type Currency } from "../../platform/money.ts";
import { invalidInput } from "../model/errors.ts";

/** The amounts to whose multiples cash can be rounded; 0 for no rounding. */
const STEPS = ["0", "0.05", "0.10", "1.00"];

/** Reads a rounding of cash. @throws AppError VALIDATION_FAILED unless it rounds amounts of the currency */
export function readCashRounding(step: string, shop: Currency): string {
  const smallest = new Big(10).pow(-shop.currencyDecimals);
  const allowed = STEPS.filter((each) => new Big(each).eq(0) || smallest.lt(each));
  // As numbers, because an operator's text may be none.
  const chosen = allowed.find((each) => Number(each) === Number(step));
  if (chosen !== undefined) return inCurrency(chosen, shop);
  const message = `Must be ${allowed.join(", ").replace(/, ([^,]*)$/, " or $1")} in ${shop.currency}`;
  throw invalidInput([{ path: "cashRounding", code: "invalid_value", message }]);
}
