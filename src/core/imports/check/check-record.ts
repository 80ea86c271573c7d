import type { z } from "zod";
import type { InputIssue } from "../../model/errors.ts";
import { customerFields } from "../../model/customers/customer.entity.ts";
import { newRecordSchema } from "../../model/editable.ts";
import type { ImportSource } from "../../model/imports/import.enums.ts";
import type {
  ImportedCustomer,
  ImportedProduct,
  ImportedVariant,
  ImportProblem,
} from "../../model/imports/imported.ts";
import { metadataField } from "../../model/metadata.entity.ts";
import { productFields } from "../../model/products/product.entity.ts";
import type { CurrentShop } from "../../model/shops/current-shop.ts";
import { productSchemas, type CreateProductInput } from "../../products/product.inputs.ts";
import { collectError } from "../../validation/bulk.ts";
import { parseInput } from "../../validation/input.ts";
import { problemAt, type FileRecord } from "../formats/draft.ts";

/** What to do about a mistake, by its code. */
const remedies: Record<string, string> = {
  too_big: "Shorten or lower the value.",
  too_many_decimals: "Round the amount.",
  repeated: "Give each variant of the product different values, or remove one of the rows.",
  required: "Fill in the cell, or correct the SKU or handle that means a product of the shop.",
  options: "Name its options and their values, or give each product its own handle.",
  conflict: "Give them different SKUs and handles, or correct the row.",
};

type ShopRules = Pick<CurrentShop, "currency" | "currencyDecimals" | "allowsOverselling">;

/** Checks a record by the rules for new ones, which an update has to satisfy, too. */
export function checkRecord(record: FileRecord, source: ImportSource, shop: ShopRules): FileRecord {
  const { input } = record;
  return "email" in input ? checkCustomer(record, input) : checkProduct(record, input, source, shop);
}

const customerSchema = newRecordSchema({ ...customerFields, ...metadataField });

function checkCustomer(record: FileRecord, input: ImportedCustomer): FileRecord {
  const { value, issues } = check(customerSchema, input);
  return withIssues({ ...record, input: keysOf(input, value) }, issues);
}

/** Stands in for what the record lacks, which an update leaves unchanged. */
function checkProduct(record: FileRecord, given: ImportedProduct, source: ImportSource, shop: ShopRules): FileRecord {
  const { handle, foundBy, ...product } = given;
  const hasTwo = product.variants.length > 1;
  const isOwn = source === "MERCHANT_API" || shop.allowsOverselling;
  const isNegative = ({ inventoryQuantity = 0 }: ImportedVariant) => !isOwn && inventoryQuantity < 0;
  const whole = {
    title: "-",
    optionNames: hasTwo ? ["-"] : [],
    ...product,
    variants: product.variants.map((variant, index) => ({
      price: "0",
      optionValues: hasTwo ? [`${index}`] : [],
      ...variant,
      ...(isNegative(variant) && { inventoryQuantity: 0 }),
    })),
  };
  const { value, issues } = check(productSchemas(shop).importProduct, whole as CreateProductInput);
  const checked = value as ImportedProduct;
  const ofHandle = handle === undefined ? [] : check(productFields.handle.rule, handle).issues;
  const input: ImportedProduct = {
    ...(handle !== undefined && { handle: handle.normalize("NFC") }),
    ...(foundBy && { foundBy }),
    ...keysOf(product, checked),
    variants: checked.variants.map((variant, index) => keysOf(product.variants[index]!, variant)),
  };
  const notes = product.variants.filter(isNegative).map(() => "Negative stock, imported as 0");
  const all = [...issues, ...ofHandle.map((issue) => ({ ...issue, path: "handle" }))];
  return withIssues({ ...record, input, notes: [...record.notes, ...notes] }, all);
}

/** The values of `checked` for the keys of `given`. */
function keysOf<Value extends object>(given: Value, checked: Value): Value {
  return Object.fromEntries(Object.keys(given).map((key) => [key, checked[key as keyof Value]])) as Value;
}

/** The normalized input. The input itself, with the issues, if it breaks a rule. */
function check<Input>(schema: z.ZodType, input: Input): { value: Input; issues: readonly InputIssue[] } {
  try {
    return { value: parseInput(schema, input) as Input, issues: [] };
  } catch (error) {
    return { value: input, issues: collectError(error).issues };
  }
}

/** The record with a problem at the cell of each value, unless one is known there. */
export function withIssues(record: FileRecord, issues: readonly InputIssue[]): FileRecord {
  const problems = [...record.problems];
  for (const { path, code, message } of issues) {
    const cell = record.cellAt(path);
    const isHere = ({ row, column }: ImportProblem) =>
      row === cell.row.number && (column ?? cell.column) === cell.column;
    if (problems.some(isHere)) continue;
    const isEmpty = code === "too_small" && cell.text.trim() === "";
    const [what, remedy] = isEmpty
      ? ["The cell is empty.", "Fill in the cell."]
      : [`${message}.`, remedies[code] ?? "Correct the cell."];
    problems.push(problemAt(cell, what, remedy));
  }
  return { ...record, problems };
}
