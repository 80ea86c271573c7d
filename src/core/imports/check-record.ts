import type { z } from "zod";
import { AppError, type InputIssue } from "../model/errors.ts";
import { customerFields } from "../model/customers/customer.entity.ts";
import { newRecordSchema } from "../model/editable.ts";
import type { ImportSource } from "../model/imports/import.enums.ts";
import type { ImportedCustomer, ImportedProduct, ImportProblem } from "../model/imports/imported.ts";
import { productFields } from "../model/products/product.entity.ts";
import type { CurrentShop } from "../model/shops/current-shop.ts";
import { productSchemas, type CreateProductInput } from "../products/product.inputs.ts";
import { parseInput } from "../validation/input.ts";
import type { Draft, ReadRecord } from "./formats/draft.ts";

/** What to do about a mistake, by its code. */
const remedies: Record<string, string> = {
  too_big: "Shorten or lower the value.",
  too_many_decimals: "Round the amount.",
  repeated: "Give each variant of the product different values, or remove one of the rows.",
  required: "Fill in the cell, or correct the SKU or handle that means a product of the shop.",
  options: "Name its options and their values, or give each product its own handle.",
  conflict: "Give them different SKUs and handles, or correct the row.",
};

/** A record of a file. */
export interface CheckedRecord {
  /** The first and the last row, counted as spreadsheets do: the header is row 1. */
  rows: [number, number];
  /** Satisfies the rules of the core and is normalized by them, unless there are problems. */
  input: ImportedProduct | ImportedCustomer;
  problems: ImportProblem[];
  notes: readonly string[];
  draft: Draft;
}

type ShopRules = Pick<CurrentShop, "currency" | "currencyDecimals" | "allowsOverselling">;

/** Checks a record by the rules for new ones, which an update has to satisfy, too. */
export function checkRecord({ draft, input }: ReadRecord, source: ImportSource, shop: ShopRules): CheckedRecord {
  const { rows, problems, notes } = draft;
  const checked = "email" in input ? checkCustomer(draft, input) : checkProduct(draft, input, source, shop);
  return { rows: [rows[0]!.number, rows.at(-1)!.number], input: checked, problems, notes, draft };
}

const customerSchema = newRecordSchema(customerFields);

function checkCustomer(draft: Draft, input: ImportedCustomer): ImportedCustomer {
  return keysOf(input, check(draft, customerSchema, input) as ImportedCustomer);
}

/** Stands in for what the record lacks, which an update leaves unchanged. */
function checkProduct(draft: Draft, given: ImportedProduct, source: ImportSource, shop: ShopRules): ImportedProduct {
  const { handle, foundBy, ...product } = given;
  const hasTwo = product.variants.length > 1;
  const isOwn = source === "MERCHANT_API" || shop.allowsOverselling;
  const whole = {
    title: "-",
    optionNames: hasTwo ? ["-"] : [],
    ...product,
    variants: product.variants.map((variant, index) => {
      const isNegative = !isOwn && (variant.inventoryQuantity ?? 0) < 0;
      if (isNegative) draft.notes.push("Negative stock, imported as 0");
      return {
        price: "0",
        optionValues: hasTwo ? [`${index}`] : [],
        ...variant,
        ...(isNegative && { inventoryQuantity: 0 }),
      };
    }),
  };
  const checked = check(draft, productSchemas(shop).importProduct, whole as CreateProductInput) as ImportedProduct;
  if (handle !== undefined) check(draft, productFields.handle.rule, handle, "handle");
  return {
    ...(handle !== undefined && { handle: handle.normalize("NFC") }),
    ...(foundBy && { foundBy }),
    ...keysOf(product, checked),
    variants: checked.variants.map((variant, index) => keysOf(product.variants[index]!, variant)),
  };
}

/** The values of `checked` for the keys of `given`. */
function keysOf<Value extends object>(given: Value, checked: Value): Value {
  return Object.fromEntries(Object.keys(given).map((key) => [key, checked[key as keyof Value]])) as Value;
}

/** Checks and normalizes the input. Returns it unchanged, and adds the problems, when it breaks a rule. */
function check(draft: Draft, schema: z.ZodType, input: unknown, prefix = ""): unknown {
  try {
    return parseInput(schema, input);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    for (const issue of error.issues ?? []) addIssue(draft, { ...issue, path: prefix + issue.path });
    return input;
  }
}

/** Adds a problem at the cell of the value, unless one is known there. */
export function addIssue(draft: Draft, { path, code, message }: InputIssue): void {
  const cell = draft.cellAt(path);
  const isKnown = draft.problems.some(
    ({ row, column }) => row === cell.row.number && (column === cell.column || column === null),
  );
  if (isKnown) return;
  if (code === "too_small" && cell.text.trim() === "") draft.add(cell, "The cell is empty.", "Fill in the cell.");
  else draft.add(cell, `${message}.`, remedies[code] ?? "Correct the cell.");
}
