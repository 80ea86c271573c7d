import { RequestError } from "../../request.ts";

const EXAMPLE = 12.5;
const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/;

/**
 * The amount in a field of a form; null when it is empty. A comma before one or two last digits is the decimal's:
 * anything else could be meant otherwise. `currencyDecimals` are those of the example in a refusal.
 *
 * @throws RequestError at the field when it is no amount
 */
export function readAmount(values: FormData, name: string, currencyDecimals: number): string | null {
  const text = readText(values, name).replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  if (text === "") return null;
  if (AMOUNT.test(text)) return text;
  throw fieldError(name, `Must be an amount such as ${EXAMPLE.toFixed(currencyDecimals)}`);
}

/** @throws RequestError at the field when it is empty, or no amount */
export function requireAmount(values: FormData, name: string, currencyDecimals: number): string {
  const amount = readAmount(values, name, currencyDecimals);
  if (amount === null) throw fieldError(name, "Is required");
  return amount;
}

export const readText = (values: FormData, name: string) => String(values.get(name) ?? "").trim();

const fieldError = (path: string, message: string) =>
  new RequestError(message, { code: "VALIDATION_FAILED", issues: [{ path, message }] });
