import { Big, type Currency } from "../../../platform/money.ts";
import type { DecimalMark } from "../../model/imports/import.enums.ts";
import type { ImportedProduct, ImportedVariant } from "../../model/imports/imported.ts";
import { productFields, MAX_OPTIONS } from "../../model/products/product.entity.ts";
import type { ProductStatus } from "../../model/products/product.enums.ts";
import { slugOf } from "../../products/handle.ts";
import { MAX_VARIANTS, productSchemas, type CreateProductInput } from "../../products/product.inputs.ts";
import { readAmount } from "./amounts.ts";
import { optionField } from "./column-names.ts";
import { htmlToText } from "./html-to-text.ts";
import type { Row } from "./read-rows.ts";
import { RecordReader } from "./record-reader.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";
import { findAttributes, isParent, isVariation, woocommerceText } from "./woocommerce.ts";

/** Longer HTML has too much text in any case. Characters. */
const MAX_HTML = 200_000;

const statuses: Record<ProductStatus, string> = {
  ACTIVE: "active unlisted published publish true yes y 1 visible",
  DRAFT: "draft pending private hidden inactive unpublished false no n 0 -1",
  ARCHIVED: "archived",
};

interface Amounts {
  decimalMark: DecimalMark;
  currency: Currency;
}

/** Reads a product from all its rows. */
export function readProduct(sheet: Sheet, rows: readonly Row[], { decimalMark, currency }: Amounts) {
  const reader = new RecordReader(sheet, rows);
  const variantRows = rowsOfVariants(sheet, rows);
  const parents = rows.filter((row) => !isVariation(sheet, row));
  const missing = [parents.length === 0 && "product of this variation", variantRows.length === 0 && "variations of it"];
  for (const what of missing.filter((name) => name !== false)) {
    reader.add(wholeRow(rows[0]!), `The file lacks the ${what}.`, "Export products together with their variations.");
  }
  if (variantRows.length > MAX_VARIANTS) {
    const message = `The product has ${variantRows.length} variants, more than ${MAX_VARIANTS}.`;
    reader.add(wholeRow(rows[0]!), message, "Make several products of it.");
  }
  const fields = readFields(reader, parents.length > 0 ? parents : rows);
  const options = findOptions(sheet, variantRows, fields.title);
  const variants = variantRows.map((row, index) => ({
    ...(options && {
      optionValues: options.map(({ values }, option) =>
        reader.takeCell(`variants.${index}.optionValues.${option}`, values[index]!),
      ),
    }),
    ...readVariant(reader, `variants.${index}`, row, decimalMark),
  }));
  const optionNames = options?.map(({ name }, index) => reader.takeCell(`optionNames.${index}`, name));
  const given: ImportedProduct = { ...fields, ...(optionNames && { optionNames }), variants };
  return { input: checkProduct(reader, given, currency), problems: reader.problems };
}

/** Shopify has rows with an image and nothing else, WooCommerce a row for the product itself. */
function rowsOfVariants(sheet: Sheet, rows: readonly Row[]): readonly Row[] {
  if (sheet.format.source === "WOOCOMMERCE") return rows.filter((row) => !isParent(sheet, row));
  if (sheet.format.source !== "SHOPIFY") return rows;
  const fields = ["OPTION1_VALUE", "OPTION2_VALUE", "OPTION3_VALUE", "SKU", "BARCODE", "PRICE"] as const;
  const filled = rows.filter((row) => fields.some((field) => sheet.cell(row, field).text !== ""));
  return filled.length > 0 ? filled : rows.slice(0, 1);
}

function readFields(reader: RecordReader, rows: readonly Row[]): Omit<ImportedProduct, "variants" | "optionNames"> {
  const { sheet } = reader;
  const { source } = sheet.format;
  const title = reader.take("title", "TITLE", rows);
  const titles = rows.map((row) => sheet.cell(row, "TITLE"));
  const other = titles.find(({ text }) => text !== "" && text.trim() !== title.trim());
  if (other) reader.add(other, "Another row of the product has another title.", "Give each product its own handle.");
  const handle = reader.take("handle", "HANDLE", rows);
  const isFit = source === "MERCHANT_API" || productFields.handle.rule.safeParse(handle).success;
  const description = reader.take("description", "DESCRIPTION", rows);
  const html = source === "WOOCOMMERCE" ? woocommerceText(description) : description;
  const isHtml = !["MERCHANT_API", "OTHER"].includes(source) && html.length <= MAX_HTML;
  const status = readStatus(reader, rows);
  return {
    ...(handle !== "" && { handle: isFit ? handle : slugOf(handle) }),
    ...(sheet.has("TITLE") && { title }),
    ...(sheet.has("DESCRIPTION") && { description: (isHtml ? htmlToText(html) : html) || null }),
    ...(status && { status }),
  };
}

function readStatus(reader: RecordReader, rows: readonly Row[]): ProductStatus | undefined {
  const text = reader.take("status", "STATUS", rows).trim().toLowerCase();
  if (text === "") return undefined;
  const found = (Object.keys(statuses) as ProductStatus[]).find((status) => statuses[status].split(" ").includes(text));
  if (!found) reader.addAt("status", "Is not a status.", "Write active, draft or archived.");
  // Square has a column that says whether an item is archived.
  if (reader.sheet.format.source !== "SQUARE") return found;
  return found === "ACTIVE" ? "ARCHIVED" : "ACTIVE";
}

interface Option {
  name: Cell;
  /** For each variant. */
  values: Cell[];
}

/** Returns undefined when the file has no columns for options. */
function findOptions(sheet: Sheet, rows: readonly Row[], title: string | undefined): Option[] | undefined {
  const { source } = sheet.format;
  if (source === "WOOCOMMERCE") return findAttributes(sheet, rows);
  if (!sheet.has("OPTION1_VALUE")) return undefined;
  const options = Array.from({ length: MAX_OPTIONS }, (_, index) => {
    const names = rows.map((row) => sheet.cell(row, optionField(index, "NAME")));
    const values = rows.map((row) => sheet.cell(row, optionField(index, "VALUE")));
    const name = names.find(({ text }) => text !== "") ?? names[0]!;
    return { name, values };
  }).filter(({ name, values }) => name.text !== "" || values.some(({ text }) => text !== ""));
  const only = options.length === 1 && rows.length === 1 ? options[0]!.values[0]!.text : undefined;
  const isUnnamed = source === "SHOPIFY" ? only === "Default Title" : only === "Regular" || only === title;
  if (only !== undefined && isUnnamed && ["SHOPIFY", "SQUARE"].includes(source)) return [];
  return options.map(({ name, values }) => {
    const otherwise = source === "SQUARE" ? "Variation" : sheet.nameOf(values[0]!);
    return { name: { ...name, text: name.text || (otherwise ?? "") }, values };
  });
}

function readVariant(reader: RecordReader, path: string, row: Row, mark: DecimalMark): ImportedVariant {
  const { sheet } = reader;
  const price = readPrice(reader, `${path}.price`, row, mark);
  const inventoryQuantity = readQuantity(reader, `${path}.inventoryQuantity`, row, mark);
  return {
    ...(sheet.has("SKU") && { sku: readCode(reader, `${path}.sku`, "SKU", row) }),
    ...(sheet.has("BARCODE") && { barcode: readCode(reader, `${path}.barcode`, "BARCODE", row) }),
    ...(price !== undefined && { price }),
    ...(inventoryQuantity !== undefined && { inventoryQuantity }),
  };
}

function readCode(reader: RecordReader, path: string, field: "SKU" | "BARCODE", row: Row): string {
  const text = reader.take(path, field, [row]);
  if (/^\d[.,]\d+E\+?\d+$/i.test(text)) {
    reader.addAt(
      path,
      "A spreadsheet has shortened this number.",
      "Format the column as text and export the file again.",
    );
  }
  return text;
}

function readPrice(reader: RecordReader, path: string, row: Row, mark: DecimalMark): string | undefined {
  if (!reader.sheet.has("PRICE")) return undefined;
  const text = reader.take(path, "PRICE", [row]).trim();
  const price = readAmount(text, mark);
  if (text === "") reader.addAt(path, "The price is missing.", "Write the price in this cell.");
  else if (price === undefined)
    reader.addAt(path, "Is not an amount.", "Write a fixed price such as 12.50 in this cell.");
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
    if (!isWhole) reader.addAt(path, "Is not a whole number.", "Write the number of units in stock, such as 12.");
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
