import { RequestError } from "../../request.ts";
import { copy } from "../copy.ts";

const EXAMPLE = 12.5;
const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/;

/**
 * Reads the amount in a field; null when the field is empty. A comma before the last one or two digits is a decimal
 * comma; elsewhere it is ambiguous and refused. `currencyDecimals` applies to the example in the error message.
 *
 * @throws RequestError for the field when it is not an amount
 */
export function readAmount(values: FormData, name: string, currencyDecimals: number): string | null {
  const text = readText(values, name).replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  if (text === "") return null;
  if (AMOUNT.test(text)) return text;
  throw fieldError(name, copy.invalidAmount(EXAMPLE.toFixed(currencyDecimals)));
}

/** @throws RequestError for the field when it is empty or not an amount */
export function requireAmount(values: FormData, name: string, currencyDecimals: number): string {
  const amount = readAmount(values, name, currencyDecimals);
  if (amount === null) throw fieldError(name, copy.fieldRequired);
  return amount;
}

export const readText = (values: FormData, name: string) => String(values.get(name) ?? "").trim();

const fieldError = (path: string, message: string) =>
  new RequestError(message, { code: "VALIDATION_FAILED", issues: [{ path, message }] });
