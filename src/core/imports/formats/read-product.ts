import { Big, type Currency } from "../../../platform/money.ts";
import type { DecimalMark } from "../../model/imports/import.enums.ts";
import type { ImportedProduct, ImportedVariant, ImportProblem } from "../../model/imports/imported.ts";
import { productFields, MAX_OPTIONS } from "../../model/products/product.entity.ts";
import type { ProductStatus } from "../../model/products/product.enums.ts";
import { slugOf } from "../../products/handle.ts";
import { productSchemas, type CreateProductInput } from "../../products/product.inputs.ts";
import { readAmount } from "./amounts.ts";
import { bareName, optionField } from "./column-names.ts";
import { htmlToText } from "./html-to-text.ts";
import type { Row } from "./read-rows.ts";
import { RecordReader } from "./record-reader.ts";
import type { Sheet } from "./sheet.ts";
import { findAttributes, isVariation, woocommerceText } from "./woocommerce.ts";

/** Longer HTML has too much text in any case. Characters. */
const MAX_HTML = 200_000;

const statuses: Record<ProductStatus, string> = {
  ACTIVE: "active unlisted published publish true yes y 1 visible",
  DRAFT: "draft pending private hidden inactive unpublished false no n 0 -1",
  ARCHIVED: "archived",
};

export interface ReadProduct {
  input: ImportedProduct;
  problems: ImportProblem[];
}

interface Amounts {
  decimalMark: DecimalMark;
  currency: Currency;
}

/** Reads a product from all its rows. */
export function readProduct(sheet: Sheet, rows: readonly Row[], { decimalMark, currency }: Amounts): ReadProduct {
  const reader = new RecordReader(sheet, rows);
  const variantRows = rowsOfVariants(sheet, rows);
  const ownRows = rows.some((row) => isVariation(sheet, row)) ? rows.filter((row) => !isVariation(sheet, row)) : rows;
  if (ownRows.length === 0) {
    const cell = { row: rows[0]!, column: undefined, text: "" };
    reader.add(
      cell,
      "The product of this variation is not in the file.",
      "Export the products together with their variations.",
    );
  }
  const fields = readFields(reader, ownRows.length > 0 ? ownRows : rows);
  const options = readOptions(reader, variantRows, fields.title);
  const variants = variantRows.map((row, index) => ({
    ...(options && { optionValues: options.values[index]! }),
    ...readVariant(reader, `variants.${index}`, row, decimalMark),
  }));
  const given: ImportedProduct = { ...fields, ...(options && { optionNames: options.names }), variants };
  return { input: checkProduct(reader, given, currency), problems: reader.problems };
}

/** Shopify has rows with an image and nothing else, WooCommerce a row for the product itself. */
function rowsOfVariants(sheet: Sheet, rows: readonly Row[]): readonly Row[] {
  if (sheet.format.source === "WOOCOMMERCE") {
    return rows.filter((row) => !/\bvariable\b/i.test(sheet.textOf(row, "type")));
  }
  if (sheet.format.source !== "SHOPIFY") return rows;
  const fields = [...[0, 1, 2].map((index) => optionField(index, "VALUE")), "SKU", "BARCODE", "PRICE"] as const;
  const filled = rows.filter((row) => fields.some((field) => sheet.cell(row, field).text !== ""));
  return filled.length > 0 ? filled : rows.slice(0, 1);
}

function readFields(reader: RecordReader, rows: readonly Row[]): Omit<ImportedProduct, "variants" | "optionNames"> {
  const { sheet } = reader;
  const { source } = sheet.format;
  const title = reader.take("title", "TITLE", rows);
  const other = rows.find((row) => !["", title].includes(sheet.cell(row, "TITLE").text));
  if (other) {
    const message = `Another title than row ${rows[0]!.number}, which belongs to the same product.`;
    reader.add(
      sheet.cell(other, "TITLE"),
      message,
      "Give each product its own handle, and all its rows the same title.",
    );
  }
  const handle = reader.take("handle", "HANDLE", rows);
  const isFit = source === "MERCHANT_API" || productFields.handle.rule.safeParse(handle).success;
  let description = reader.take("description", "DESCRIPTION", rows);
  if (source === "WOOCOMMERCE") description = woocommerceText(description);
  if (source !== "MERCHANT_API" && source !== "OTHER" && description.length <= MAX_HTML)
    description = htmlToText(description);
  const status = readStatus(reader, rows);
  return {
    ...(handle !== "" && { handle: isFit ? handle : slugOf(handle) }),
    ...(sheet.has("TITLE") && { title }),
    ...(sheet.has("DESCRIPTION") && { description: description || null }),
    ...(status && { status }),
  };
}

function readStatus(reader: RecordReader, rows: readonly Row[]): ProductStatus | undefined {
  const text = reader.take("status", "STATUS", rows).trim().toLowerCase();
  if (text === "") return undefined;
  const { column } = reader.sheet.cell(rows[0]!, "STATUS");
  const found = (Object.keys(statuses) as ProductStatus[]).find((status) => statuses[status].split(" ").includes(text));
  if (bareName(reader.sheet.format.columns[column!]!) === "archived") return found === "ACTIVE" ? "ARCHIVED" : "ACTIVE";
  if (!found) reader.addAt("status", "Is no status.", "Write active, draft or archived.");
  return found;
}

interface Options {
  names: string[];
  /** For each variant. */
  values: string[][];
}

/** Returns undefined when the file has no column for options. */
function readOptions(reader: RecordReader, rows: readonly Row[], title: string | undefined): Options | undefined {
  const { sheet } = reader;
  const { source } = sheet.format;
  if (source === "WOOCOMMERCE") return readAttributes(reader, rows);
  const indexes = Array.from({ length: MAX_OPTIONS }, (_, index) => index);
  if (!indexes.some((index) => sheet.has(optionField(index, "VALUE")))) return undefined;
  const used = indexes.filter((index) =>
    rows.some((row) =>
      ["NAME", "VALUE"].some((part) => sheet.cell(row, optionField(index, part as "NAME")).text !== ""),
    ),
  );
  const only =
    rows.length === 1 && used.length === 1 ? sheet.cell(rows[0]!, optionField(used[0]!, "VALUE")).text : undefined;
  if (source === "SHOPIFY" && only === "Default Title") return { names: [], values: [[]] };
  if (source === "SQUARE" && only !== undefined && ["", "Regular", title].includes(only))
    return { names: [], values: [[]] };
  return {
    names: used.map((index, position) => {
      const name = reader.take(`optionNames.${position}`, optionField(index, "NAME"), rows);
      return name || (source === "SQUARE" ? "Variation" : (sheet.nameOf(optionField(index, "VALUE")) ?? ""));
    }),
    values: rows.map((row, number) =>
      used.map((index, position) =>
        reader.take(`variants.${number}.optionValues.${position}`, optionField(index, "VALUE"), [row]),
      ),
    ),
  };
}

/** The attributes that tell the variations of a product apart. */
function readAttributes(reader: RecordReader, rows: readonly Row[]): Options {
  const attributes = rows.map((row) =>
    isVariation(reader.sheet, row) ? findAttributes(reader.sheet, row) : new Map(),
  );
  const names = [...new Set(attributes.flatMap((found) => [...found.keys()]))];
  return {
    names,
    values: attributes.map((found, number) =>
      names.map((name, position) => {
        const cell = found.get(name);
        return cell ? reader.takeCell(`variants.${number}.optionValues.${position}`, cell) : "";
      }),
    ),
  };
}

function readVariant(reader: RecordReader, path: string, row: Row, mark: DecimalMark): ImportedVariant {
  const { sheet } = reader;
  const code = (name: "sku" | "barcode") => {
    const text = reader.take(`${path}.${name}`, name === "sku" ? "SKU" : "BARCODE", [row]);
    if (/^\d[.,]\d+E\+?\d+$/i.test(text)) {
      reader.addAt(
        `${path}.${name}`,
        "A spreadsheet has shortened this number.",
        "Format the column as text and export the file again.",
      );
    }
    return text;
  };
  const price = readPrice(reader, `${path}.price`, row, mark);
  const inventoryQuantity = readQuantity(reader, `${path}.inventoryQuantity`, row, mark);
  return {
    ...(sheet.has("SKU") && { sku: code("sku") }),
    ...(sheet.has("BARCODE") && { barcode: code("barcode") }),
    ...(price !== undefined && { price }),
    ...(inventoryQuantity !== undefined && { inventoryQuantity }),
  };
}

function readPrice(reader: RecordReader, path: string, row: Row, mark: DecimalMark): string | undefined {
  if (!reader.sheet.has("PRICE")) return undefined;
  const text = reader.take(path, "PRICE", [row]).trim();
  const price = readAmount(text, mark);
  if (text === "") reader.addAt(path, "The price is missing.", "Write the price in this cell.");
  else if (price === undefined) reader.addAt(path, "Is no amount.", "Write a fixed price such as 12.50 in this cell.");
  return price;
}

/** The sum of all locations. */
function readQuantity(reader: RecordReader, path: string, row: Row, mark: DecimalMark): number | undefined {
  const cells = reader.sheet
    .cells(row, "INVENTORY_QUANTITY")
    .filter(({ text }) => !["", "parent"].includes(text.trim()));
  let sum: number | undefined;
  for (const cell of cells) {
    const amount = readAmount(reader.takeCell(path, cell), mark);
    const isWhole = amount !== undefined && new Big(amount).mod(1).eq(0);
    if (!isWhole) reader.addAt(path, "Is no whole number.", "Write the number of units in stock, such as 12.");
    else sum = (sum ?? 0) + Number(amount);
  }
  return sum;
}

/** Checks the product by the rules for new ones. Stands in for fields without a column, which an update leaves unchanged. */
function checkProduct(reader: RecordReader, given: ImportedProduct, currency: Currency): ImportedProduct {
  const { handle, ...product } = given;
  const hasTwo = product.variants.length > 1;
  const whole = {
    title: "-",
    optionNames: hasTwo ? ["-"] : [],
    ...product,
    variants: product.variants.map((variant, index) => ({
      price: "0",
      optionValues: hasTwo ? [`${index}`] : [],
      ...variant,
    })),
  };
  const checked = reader.check(productSchemas(currency).createProduct, whole as CreateProductInput);
  if (handle !== undefined) reader.check(productFields.handle.rule, handle, "handle");
  return {
    ...(handle !== undefined && { handle: handle.normalize("NFC") }),
    ...keysOf(product, checked as ImportedProduct),
    variants: checked.variants.map((variant, index) => keysOf(product.variants[index]!, variant)),
  };
}

/** The values of `checked` for the keys of `given`. */
function keysOf<Value extends object>(given: Value, checked: Value): Value {
  return Object.fromEntries(Object.keys(given).map((key) => [key, checked[key as keyof Value]])) as Value;
}
