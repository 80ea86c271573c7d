import { foldCase } from "../../platform/fold-text.ts";

const DEFAULT_VARIANT_TITLE = "Default Title";

/** The title of a variant: its values, or without options the specification's default. */
export function variantTitle(optionValues: readonly string[]): string {
  return optionValues.length > 0 ? optionValues.join(" / ") : DEFAULT_VARIANT_TITLE;
}

export interface OptionIssue {
  path: (string | number)[];
  code: string;
  message: string;
}

/** Checks a variant's values against the product's options and other variants. */
export function findValuesIssue(
  optionNames: readonly string[],
  others: ReadonlySet<string>,
  optionValues: readonly string[],
): OptionIssue | undefined {
  const path = ["optionValues"];
  if (optionValues.length !== optionNames.length) {
    const message = `Must have one value for each of the product's options: ${optionNames.length}`;
    return { path, code: "invalid_value", message };
  }
  if (others.has(valuesKey(optionValues))) {
    return { path, code: "repeated", message: "Another variant already has these values" };
  }
  return undefined;
}

/** A key that is equal for values that differ only in case. */
export function valuesKey(optionValues: readonly string[]): string {
  return JSON.stringify(optionValues.map((value) => foldCase(value)));
}

/** Checks the variants of a new product against each other. */
export function findVariantIssues(
  optionNames: readonly string[],
  variants: readonly { optionValues: readonly string[] }[],
): OptionIssue[] {
  if (optionNames.length === 0 && variants.length > 1) {
    return [{ path: ["variants"], code: "too_big", message: "Must have exactly one variant if there are no options" }];
  }
  const before = new Set<string>();
  return variants.flatMap(({ optionValues }, index) => {
    const issue = findValuesIssue(optionNames, before, optionValues);
    before.add(valuesKey(optionValues));
    return issue ? [{ ...issue, path: ["variants", index, ...issue.path] }] : [];
  });
}
