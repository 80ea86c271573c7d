import { foldCase } from "../../../platform/fold-text.ts";
import { invalidInput, type InputIssue } from "../../model/errors.ts";
import { skuKey, type ImportedProduct, type ImportedVariant } from "../../model/imports/imported.ts";
import type { Variant } from "../../model/products/product.entity.ts";
import { findVariantIssues, valuesKey, type OptionIssue } from "../../products/options.ts";
import { MAX_VARIANTS } from "../../products/product.inputs.ts";
import type { ExistingProduct } from "./find-products.ts";

/** What an import does to a product and its variants. */
interface ProductPlan {
  /** The new names of the options. Undefined if they stay. */
  optionNames: string[] | undefined;
  /** Each given variant, with its option values in the order of the product, and the one that it means, if any. */
  variants: [existing: Variant | undefined, given: ImportedVariant][];
}

/** The reasons for which a new product would be refused. */
export function findNewIssues({ title, optionNames = [], variants }: ImportedProduct): InputIssue[] {
  const issues = findVariantIssues(optionNames, variants.map(withValues)).map(asIssue);
  if (title === undefined) {
    const message = "No product of the shop is meant, and a new one needs a title";
    issues.push({ path: "title", code: "required", message });
  }
  return [...issues, ...variants.flatMap((variant, index) => findMissingPrice(variant, index))];
}

function asIssue({ path, code, message }: OptionIssue): InputIssue {
  return { path: path.join("."), code: path.length === 1 ? "options" : code, message };
}

const withValues = ({ optionValues = [] }: ImportedVariant) => ({ optionValues });

function findMissingPrice({ price }: ImportedVariant, index: number): InputIssue[] {
  if (price !== undefined) return [];
  return [{ path: `variants.${index}.price`, code: "required", message: "The price is missing" }];
}

/** @throws AppError VALIDATION_FAILED when the product cannot become what is given */
export function planUpdate(existing: ExistingProduct, given: ImportedProduct): ProductPlan {
  const { product, variants } = existing;
  const { optionNames, order } = orderOptions(product.optionNames, given.optionNames);
  const pairs = matchVariants(
    variants,
    given.variants.map(({ optionValues, ...variant }) => ({
      ...variant,
      ...(optionValues && { optionValues: order ? order.map((index) => optionValues[index]!) : optionValues }),
    })),
  );
  const matched = new Set(pairs.map(([variant]) => variant));
  const others = variants.filter((variant) => !matched.has(variant));
  if (optionNames && others.length > 0) {
    refuse("optionNames", `The options of the product are ${list(product.optionNames)}, and not all variants are here`);
  }
  const values = pairs.map(([variant, { optionValues }]) => optionValues ?? variant?.optionValues ?? []);
  if (others.length + values.length > MAX_VARIANTS) {
    refuse("variants", `The product would have more than ${MAX_VARIANTS} variants`);
  }
  const all = [...others, ...values.map((optionValues) => ({ optionValues }))];
  const issues = findVariantIssues(product.optionNames, all).map(({ path: [root = "", index, ...rest], ...issue }) =>
    asIssue({ ...issue, path: index === undefined ? [root] : [root, Number(index) - others.length, ...rest] }),
  );
  const missing = pairs.flatMap(([variant, input], index) => (variant ? [] : findMissingPrice(input, index)));
  if (issues.length + missing.length > 0) throw invalidInput([...issues, ...missing]);
  return { optionNames, variants: pairs };
}

/**
 * Compares the names of options as sets. Returns the position in the file of each option of the product, and the new names
 * if the file has others.
 */
function orderOptions(own: readonly string[], given: readonly string[] | undefined) {
  if (given === undefined) return { optionNames: undefined, order: undefined };
  if (given.length !== own.length) refuse("optionNames", `The options of the product are ${list(own)}`);
  const names = given.map(foldCase);
  const known = own.map((name) => names.indexOf(foldCase(name)));
  const rest = names.keys().filter((index) => !known.includes(index));
  const order = known.map((index) => (index >= 0 ? index : rest.next().value!));
  const optionNames = known.includes(-1) ? order.map((index) => given[index]!) : undefined;
  return { optionNames, order };
}

const list = (names: readonly string[]) => names.join(", ") || "none";

function refuse(path: string, message: string): never {
  throw invalidInput([{ path, code: "invalid_value", message }]);
}

/** Finds the variant that each given one means: by its SKU if both are alone with it, else by its option values. */
function matchVariants(variants: readonly Variant[], given: readonly ImportedVariant[]): ProductPlan["variants"] {
  const ownSkus = Map.groupBy(variants, ({ sku }) => skuKey(sku));
  const givenSkus = Map.groupBy(given, ({ sku = "" }) => skuKey(sku));
  const bySku = given.map(({ sku = "" }) => {
    const [same, another] = sku === "" ? [] : (ownSkus.get(skuKey(sku)) ?? []);
    return another || givenSkus.get(skuKey(sku))!.length > 1 ? undefined : same;
  });
  const left = new Set(variants.filter((variant) => !bySku.includes(variant)));
  return given.map((input, index) => {
    const key = valuesKey(input.optionValues ?? []);
    const found = bySku[index] ?? left.values().find(({ optionValues }) => valuesKey(optionValues) === key);
    if (found) left.delete(found);
    return [found, input];
  });
}
