import { RequestError } from "../../request.ts";
import { copy } from "../copy.ts";

const EXAMPLE = 12.5;
const AMOUNT = /^\d{1,12}(\.\d{1,4})?$/;

const readable = (text: string) => text.replace(/^(\d+),(\d{1,2})$/, "$1.$2");

/** Finds what is wrong with the text of an amount. `currencyDecimals` applies to the example in the message. */
export const checkAmount = (text: string, currencyDecimals: number) =>
  AMOUNT.test(readable(text)) ? null : copy.invalidAmount(EXAMPLE.toFixed(currencyDecimals));

/**
 * Reads the amount in a field; null when the field is empty. A comma before the last one or two digits is a decimal
 * comma; elsewhere it is ambiguous and refused.
 *
 * @throws RequestError for the field when it is not an amount
 */
export function readAmount(values: FormData, name: string, currencyDecimals: number): string | null {
  const text = readText(values, name);
  if (text === "") return null;
  const message = checkAmount(text, currencyDecimals);
  if (message) throw new RequestError(message, { code: "VALIDATION_FAILED", issues: [{ path: name, message }] });
  return readable(text);
}

export const readText = (values: FormData, name: string) => String(values.get(name) ?? "").trim();
