import type { ComponentProps } from "react";
import { TextField } from "./form.tsx";
import { checkAmount } from "./read-fields.ts";

interface AmountFieldProps extends Omit<ComponentProps<typeof TextField>, "validate"> {
  currencyDecimals: number;
}

/** A field for an amount of money that cannot be empty. */
export function AmountField({ currencyDecimals, ...rest }: AmountFieldProps) {
  return <TextField {...rest} required inputMode="decimal" validate={(text) => checkAmount(text, currencyDecimals)} />;
}
