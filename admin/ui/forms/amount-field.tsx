import type { ComponentProps } from "react";
import { readText, TextField } from "./form.tsx";
import { RequestError } from "../../request.ts";
import { copy } from "../copy.ts";

interface AmountFieldProps extends Omit<ComponentProps<typeof TextField>, "validate"> {
  currencyDecimals: number;
}

/** A field for an amount of money that cannot be empty. */
export function AmountField({ currencyDecimals, ...rest }: AmountFieldProps) {
  return <TextField {...rest} required inputMode="decimal" validate={(text) => checkAmount(text, currencyDecimals)} />;
}

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
export const readAmount = (values: FormData, name: string, currencyDecimals: number) =>
  parseAmount(readText(values, name), name, currencyDecimals);

/** Reads the text of an amount in the same way. */
export function parseAmount(text: string, name: string, currencyDecimals: number): string | null {
  if (text === "") return null;
  const message = checkAmount(text, currencyDecimals);
  if (message) throw new RequestError(message, { code: "VALIDATION_FAILED", issues: [{ path: name, message }] });
  return readable(text);
}
