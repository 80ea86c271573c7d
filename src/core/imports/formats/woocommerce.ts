import type { Row } from "./read-rows.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";

// https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema

export function isVariation(sheet: Sheet, row: Row): boolean {
  return sheet.layout.source === "WOOCOMMERCE" && /\bvariation\b/i.test(sheet.textOf(row, "type"));
}

/** Returns true for a product with variations. */
export function isParent(sheet: Sheet, row: Row): boolean {
  return /\bvariable\b/i.test(sheet.textOf(row, "type"));
}

/** Returns true for a variation that is disabled or a draft, which is not for sale. */
export function isDisabled(sheet: Sheet, row: Row): boolean {
  return isVariation(sheet, row) && /^(0|-1)$/.test(sheet.textOf(row, "published"));
}

/** The attributes that tell variations apart, with a value for each. Their columns can differ between rows. */
export function findAttributes(sheet: Sheet, rows: readonly Row[]) {
  const attributes = new Map<string, Map<Row, Cell>>();
  for (const row of rows.filter((candidate) => isVariation(sheet, candidate))) {
    for (let number = 1; ; number += 1) {
      const cell = sheet.named(row, `attribute${number}values`);
      if (!cell) break;
      const name = sheet.textOf(row, `attribute${number}name`);
      const value = { ...cell, text: cell.text.replaceAll("\\,", ",") };
      if (name) attributes.set(name, (attributes.get(name) ?? new Map()).set(row, value));
    }
  }
  return [...attributes]
    .map(([name, cells]) => ({
      name: { ...wholeRow(rows[0]!), text: name },
      values: rows.map((row) => cells.get(row) ?? wholeRow(row)),
    }))
    .filter(({ values }) => values.some(({ text }) => text !== ""));
}

/** Line breaks are written as \n, and that text as \\n. A line break begins a line also where HTML would ignore it. */
export function woocommerceText(text: string): string {
  return text.replace(/\\\\n|\\n|\n/g, (found) => (found === "\\\\n" ? "\\n" : "<br>"));
}
