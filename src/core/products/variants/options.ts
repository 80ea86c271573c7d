import { foldCase } from "../../queries/fold.ts";

export const MAX_OPTIONS = 3;

const DEFAULT_VARIANT_TITLE = "Default Title";

/** The title of a variant: its values, or, without options, the one of the specification. */
export function variantTitle(optionValues: readonly string[]): string {
  return optionValues.length > 0 ? optionValues.join(" / ") : DEFAULT_VARIANT_TITLE;
}

export interface OptionIssue {
  path: (string | number)[];
  code: string;
  message: string;
}

/** Finds what is wrong with a variant's values for a product's options, other variants considered. */
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

/** The same for values that differ in case alone. */
export function valuesKey(optionValues: readonly string[]): string {
  return JSON.stringify(optionValues.map((value) => foldCase(value)));
}

/** Finds what is wrong with the variants of a new product taken together. */
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

/** Names that were given before, whatever the case of their letters. */
export function findNameIssues(names: readonly string[]): OptionIssue[] {
  const folded = names.map((name) => foldCase(name));
  return folded.flatMap((name, index) =>
    folded.indexOf(name) < index ? [{ path: [index], code: "repeated", message: "Must be given only once" }] : [],
  );
}
