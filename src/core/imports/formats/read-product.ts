import { METADATA } from "../../csv/columns.ts";
import type { DecimalMark, ImportField } from "../../model/imports/import.enums.ts";
import type { ImportedProduct, ImportedVariant } from "../../model/imports/imported.ts";
import { productFields, MAX_OPTIONS } from "../../model/products/product.entity.ts";
import type { ProductStatus } from "../../model/products/product.enums.ts";
import { slugOf } from "../../products/handle.ts";
import { MAX_VARIANTS } from "../../products/product.inputs.ts";
import { readAmount, readQuantity } from "./amounts.ts";
import { optionField } from "./column-names.ts";
import { Draft, type FileRecord } from "./draft.ts";
import { htmlToText } from "./html-to-text.ts";
import type { Row } from "./read-rows.ts";
import { isYes, NO_VALUE, wholeRow, type Cell, type Sheet } from "./sheet.ts";
import { findAttributes, isDisabled, isParent, isVariation, woocommerceText } from "./woocommerce.ts";

/** Longer HTML has too much text in any case. Characters. */
const MAX_HTML = 200_000;

const statuses: Record<ProductStatus, string> = {
  ACTIVE:
    "active unlisted published publish true yes y 1 visible enabled aktiv veröffentlicht ja wahr sichtbar actif publié oui vrai activo publicado sí si verdadero attivo pubblicato vero actief gepubliceerd aktivt",
  DRAFT:
    "draft pending private hidden inactive unpublished disabled false no n 0 -1 entwurf inaktiv unveröffentlicht nein falsch versteckt brouillon inactif non faux borrador inactivo falso bozza inattivo concept inactief utkast kladde",
  ARCHIVED: "archived archiviert archivé archivado archiviato gearchiveerd discontinued",
};

/** Reads a product from all its rows. `sharesSku` if another product of the file has one of its SKUs. */
export function readProduct(
  sheet: Sheet,
  rows: readonly Row[],
  { decimalMark, sharesSku }: { decimalMark: DecimalMark | null; sharesSku: boolean },
): FileRecord {
  const draft = new Draft(sheet, rows);
  const whole = wholeRow(rows[0]!);
  const parents = rows.filter((row) => !isVariation(sheet, row));
  const rowsOfEach = groupLocations(draft, rowsOfVariants(draft));
  const variantRows = rowsOfEach.map(([row]) => row!);
  if (parents.length === 0) draft.add(whole, "The product of this variation is not in the file.", TOGETHER);
  if (variantRows.length === 0) draft.add(whole, "This product has no variations in the file.", TOGETHER);
  if (variantRows.length > MAX_VARIANTS) {
    const message = `The product has ${variantRows.length} variants, more than ${MAX_VARIANTS}.`;
    draft.add(whole, message, "Make several products of it, each with its own handle and title.");
  }
  const fields = readFields(draft, parents.length > 0 ? parents : rows);
  if (variantRows.length > 0 && variantRows.every((row) => isDisabled(sheet, row))) fields.status = "DRAFT";
  const found = findOptions(draft, variantRows, fields.title);
  const variants = variantRows.map((row, index) => ({
    ...(found && {
      optionValues: found.map(({ values }, option) =>
        draft.place(`variants.${index}.optionValues.${option}`, values[index]!),
      ),
    }),
    ...readVariant(draft, `variants.${index}`, rowsOfEach[index]!, decimalMark ?? "POINT"),
  }));
  const optionNames = found?.map(({ name }, index) => draft.place(`optionNames.${index}`, name));
  const foundBy = sharesSku && fields.handle !== undefined ? ({ foundBy: "HANDLE" } as const) : {};
  return draft.toRecord({ ...fields, ...(optionNames && { optionNames }), variants, ...foundBy });
}

const TOGETHER = "Export products together with their variations.";

/** Shopify has rows with an image and nothing else, WooCommerce a row for the product itself. */
function rowsOfVariants({ sheet, rows, notes }: Draft): readonly Row[] {
  if (sheet.layout.source === "WOOCOMMERCE") {
    const variations = rows.filter((row) => !isParent(sheet, row));
    const enabled = variations.filter((row) => !isDisabled(sheet, row));
    const others = "Disabled variations of products without others, which become drafts";
    const note = enabled.length > 0 ? "Disabled variations, left out" : others;
    notes.push(...Array.from({ length: variations.length - enabled.length }, () => note));
    return enabled.length > 0 ? enabled : variations;
  }
  if (sheet.layout.source !== "SHOPIFY") return rows;
  const fields = ["OPTION1_VALUE", "OPTION2_VALUE", "OPTION3_VALUE", "SKU", "BARCODE", "PRICE"] as const;
  const filled = rows.filter((row) => fields.some((field) => sheet.cell(row, field).text !== ""));
  return filled.length > 0 ? filled : rows.slice(0, 1);
}

/** The rows of each variant: inventories of Shopify have one for each location. */
function groupLocations({ sheet, notes }: Draft, rows: readonly Row[]): Row[][] {
  if (!rows.some((row) => sheet.named(row, "location"))) return rows.map((row) => [row]);
  const fields = ["OPTION1_VALUE", "OPTION2_VALUE", "OPTION3_VALUE", "SKU"] as const;
  const keyOf = (row: Row) => JSON.stringify(fields.map((field) => sheet.cell(row, field).text));
  const groups = [...Map.groupBy(rows, keyOf).values()];
  if (groups.length < rows.length) notes.push("Stock of several locations, added up");
  return groups;
}

/** The first filled cell of a field in these rows. */
function take(draft: Draft, path: string, field: ImportField, rows: readonly Row[]): string {
  const cells = rows.map((row) => draft.sheet.cell(row, field));
  return draft.place(path, cells.find(({ text }) => text !== "") ?? cells[0]!);
}

function readFields(draft: Draft, rows: readonly Row[]): Omit<ImportedProduct, "variants" | "optionNames"> {
  const { sheet } = draft;
  const { source, emptyCells } = sheet.layout;
  const title = take(draft, "title", "TITLE", rows);
  const titles = rows.map((row) => sheet.cell(row, "TITLE"));
  const other = titles.find(({ text }) => text !== "" && text.trim() !== title.trim());
  if (other) draft.add(other, "Another row of the product has another title.", "Give each product its own handle.");
  const handle = take(draft, "handle", "HANDLE", rows);
  const isFit = sheet.isOwn || productFields.handle.rule.safeParse(handle).success;
  const description = take(draft, "description", "DESCRIPTION", rows);
  const html = source === "WOOCOMMERCE" ? woocommerceText(description) : description;
  const isHtml = !["MERCHANT_API", "OTHER"].includes(source) && html.length <= MAX_HTML;
  const status = readStatus(draft, rows);
  noteKinds(draft, rows[0]!);
  return {
    ...(handle !== "" && { handle: isFit ? handle : slugOf(handle) }),
    ...(title !== "" && { title: source === "WOOCOMMERCE" ? decodeEntities(title) : title }),
    ...((description !== "" || (sheet.has("DESCRIPTION") && emptyCells === "CLEAR")) && {
      description: (isHtml ? htmlToText(html) : html) || null,
    }),
    ...(status && { status }),
    ...draft.metadata("metadata", METADATA.record, rows),
  };
}

/** Says what has no counterpart here. */
function noteKinds({ sheet, rows, notes }: Draft, row: Row): void {
  if (isYes(sheet.textOf(row, "giftcard")) || /^gift ?card$/i.test(sheet.textOf(row, "itemtype"))) {
    notes.push("Gift cards, which become ordinary products: a sale issues no code");
  }
  const isOfWoo = sheet.layout.source === "WOOCOMMERCE";
  if (isOfWoo && /\b(grouped|external|subscription|bundle|composite|booking)\b/i.test(sheet.textOf(row, "type"))) {
    notes.push("Grouped, external and other kinds of products, which become ordinary products");
  }
  const oversells = rows.some((each) => sheet.textOf(each, "variantinventorypolicy") === "continue");
  if (oversells || /^(1|yes|notify)$/.test(sheet.textOf(row, "backordersallowed"))) {
    notes.push("Products that sell without stock, which is a setting of the shop here");
  }
}

/** WooCommerce writes "&amp;" into titles, and no tags. */
const decodeEntities = (title: string) => htmlToText(title.replaceAll("<", "&lt;"));

function readStatus(draft: Draft, rows: readonly Row[]): ProductStatus | undefined {
  const text = take(draft, "status", "STATUS", rows).trim().toLowerCase();
  if (text === "") return undefined;
  const found = (Object.keys(statuses) as ProductStatus[]).find((status) => statuses[status].split(" ").includes(text));
  if (!found) draft.addAt("status", "Is not a status.", "Write active, draft or archived.");
  // Square has a column that says whether an item is archived.
  if (draft.sheet.layout.source !== "SQUARE") return found;
  return found === "ACTIVE" ? "ARCHIVED" : "ACTIVE";
}

interface Option {
  name: Cell;
  /** For each variant. */
  values: Cell[];
}

const OPTIONS = Array.from({ length: MAX_OPTIONS }, (_, index) => index);

/** Returns undefined when the file has no columns for options. */
function findOptions(draft: Draft, rows: readonly Row[], title: string | undefined): Option[] | undefined {
  const { sheet } = draft;
  const { source } = sheet.layout;
  if (source === "WOOCOMMERCE") {
    const attributes = findAttributes(sheet, rows);
    for (const { name, values } of attributes) {
      const any = values.find(({ text }) => text === "");
      if (any) draft.add(any, `The variation has no ${name.text}: it stands for several.`, "Make one for each value.");
    }
    return attributes;
  }
  const given = OPTIONS.filter((index) => sheet.has(optionField(index, "VALUE")));
  if (given.length === 0) return undefined;
  const options = given
    .map((index) => {
      const names = rows.map((row) => sheet.cell(row, optionField(index, "NAME")));
      const values = rows.map((row) => sheet.cell(row, optionField(index, "VALUE")));
      return { index, name: names.find(({ text }) => text !== "") ?? names[0]!, values };
    })
    .filter(({ name, values }) => name.text !== "" || values.some(({ text }) => text !== ""));
  const skipped = options.find(({ index }, position) => index !== position);
  if (skipped) {
    draft.add(skipped.values[0]!, `Option ${skipped.index} is missing.`, "Number the options 1, 2, 3.");
  }
  const only = options.length === 1 && rows.length === 1 ? options[0]!.values[0]!.text : undefined;
  const isUnnamed = source === "SHOPIFY" ? only === "Default Title" : only === "Regular" || only === title;
  if (only !== undefined && isUnnamed && ["SHOPIFY", "SQUARE"].includes(source)) return [];
  return options.map(({ name, values }) => {
    const otherwise = source === "SQUARE" ? "Variation" : values[0]!.column;
    return { name: { ...name, text: name.text || (otherwise ?? "") }, values };
  });
}

/** @param rows of the variant. The first has its fields, and all have its stock */
function readVariant(draft: Draft, path: string, rows: readonly Row[], mark: DecimalMark): ImportedVariant {
  const row = rows[0]!;
  const sku = readCode(draft, `${path}.sku`, "SKU", row);
  const barcode = readCode(draft, `${path}.barcode`, "BARCODE", row);
  const price = readPrice(draft, `${path}.price`, row, mark);
  const inventoryQuantity = readStock(draft, `${path}.inventoryQuantity`, rows);
  const isStockTracked = readTracking(draft, `${path}.isStockTracked`, row, inventoryQuantity);
  if (inventoryQuantity && isStockTracked === false) draft.notes.push("Stock that is not tracked, left out");
  return {
    ...(sku !== undefined && { sku }),
    ...(barcode !== undefined && { barcode }),
    ...(price !== undefined && { price }),
    ...(inventoryQuantity !== undefined && isStockTracked !== false && { inventoryQuantity }),
    ...(isStockTracked !== undefined && { isStockTracked }),
    ...draft.metadata(`${path}.metadata`, METADATA.variant, rows),
  };
}

/** A number that a spreadsheet has shortened, such as 4.00638E+12, or 4006380000000 once it was saved again. */
const SHORTENED = /^\d([.,]\d+E\+?\d+|E\+\d+)$|^(?=\d{12,}$)\d+0{6}$/i;
const BARCODES = /^\d{8,14}\s*[;,|/\s]\s*\d{8,14}/;

/** Undefined for an empty cell, unless empty cells clear. */
function readCode(draft: Draft, path: string, field: "SKU" | "BARCODE", row: Row): string | undefined {
  const { sheet } = draft;
  const text = draft.place(path, sheet.cell(row, field));
  const code = sheet.isOwn ? text : cleanCode(text);
  if (SHORTENED.test(code)) {
    const remedy = "Format the column as text and export the file again.";
    draft.addAt(path, "A spreadsheet has shortened this number.", remedy);
  }
  if (field === "BARCODE" && BARCODES.test(code)) draft.addAt(path, "Holds several barcodes.", "Keep one of them.");
  return code === "" && !(sheet.has(field) && sheet.layout.emptyCells === "CLEAR") ? undefined : code;
}

/**
 * Without an apostrophe or "=", which keep zeros in Excel, quotation marks, invisible characters, and the decimals of a number.
 * Empty for what systems write when there is none.
 */
function cleanCode(text: string): string {
  const bare = text.replace(/^'(.*)'$|^'+|^=(?=\d+$)/, "$1").replace(/[\p{Cf}]/gu, "");
  const spaced = bare.replace(/[\s]+/g, " ").trim();
  return NO_VALUE.test(spaced) ? "" : spaced.replace(/^(\d{4,})[.,]0+$/, "$1");
}

function readPrice(draft: Draft, path: string, row: Row, mark: DecimalMark): string | undefined {
  const text = draft.place(path, draft.sheet.cell(row, "PRICE")).trim();
  if (text === "") return undefined;
  const price = readAmount(text, mark);
  if (price === undefined) {
    draft.addAt(path, "Is not an amount.", "Write a fixed price such as 12.50 in this cell.");
  }
  return price;
}

/**
 * Shopify names who tracks the stock. WooCommerce and Square leave the stock empty of what is for sale without one, unless
 * WooCommerce counts it for all variations of the product, or Square has an alert for it.
 */
function readTracking(draft: Draft, path: string, row: Row, stock: number | undefined): boolean | undefined {
  const { sheet } = draft;
  const { source } = sheet.layout;
  const text = draft.place(path, sheet.cell(row, "IS_STOCK_TRACKED")).toLowerCase();
  if (text !== "") {
    const isTracked = statuses.ACTIVE.split(" ").includes(text);
    if (!isTracked && !statuses.DRAFT.split(" ").includes(text))
      draft.addAt(path, "Is not yes or no.", "Write true or false.");
    return isTracked;
  }
  const tracker = sheet.named(row, "variantinventorytracker") ?? sheet.named(row, "inventorytracker");
  if (source === "SHOPIFY" && tracker) return tracker.text !== "";
  if (stock !== undefined || !sheet.has("INVENTORY_QUANTITY")) return undefined;
  const sharers = isVariation(sheet, row) ? [row, ...draft.rows.filter((each) => isParent(sheet, each))] : [];
  const isShared = sharers.some((each) => sheet.cell(each, "INVENTORY_QUANTITY").text !== "");
  if (isShared) draft.notes.push("Variations that share the stock of their product, without stock here");
  const isForSale = source === "WOOCOMMERCE" ? isYes(sheet.textOf(row, "instock")) : source === "SQUARE";
  if (isShared || !isForSale || sheet.saysYes(row, "stockalertenabled")) return undefined;
  draft.notes.push("Variants without a number in stock, for sale without stock tracking");
  return false;
}

/** The sum of all locations. */
function readStock(draft: Draft, path: string, rows: readonly Row[]): number | undefined {
  const cells = rows
    .flatMap((row) => draft.sheet.cells(row, "INVENTORY_QUANTITY"))
    .filter(({ text }) => !["", "parent", "not stocked"].includes(text.trim()));
  let sum: number | undefined;
  for (const cell of cells) {
    const quantity = readQuantity(draft.place(path, cell));
    if (quantity === undefined) {
      draft.addAt(path, "Is not a whole number.", "Write the number of units in stock, such as 12.");
    } else sum = (sum ?? 0) + quantity;
    if (/^\D*\d{1,3}[.,]000\D*$/.test(cell.text)) {
      draft.notes.push("Stock such as 1.000 or 1,000, read as thousands");
    }
  }
  return sum;
}
