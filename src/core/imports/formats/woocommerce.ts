import type { Row } from "./read-rows.ts";
import type { Cell, Sheet } from "./sheet.ts";

// https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema

export function isVariation(sheet: Sheet, row: Row): boolean {
  return sheet.format.source === "WOOCOMMERCE" && /\bvariation\b/i.test(sheet.textOf(row, "type"));
}

/** The value of each attribute that a row has. The columns of an attribute can differ between rows. */
export function findAttributes(sheet: Sheet, row: Row): Map<string, Cell> {
  const found = new Map<string, Cell>();
  for (const [column, name] of sheet.format.columns.entries()) {
    const number = /^attribute (\d+) value/i.exec(name.trim())?.[1];
    const attribute = number && sheet.textOf(row, `attribute${number}name`);
    const text = (row.cells[column] ?? "").trim().replaceAll("\\,", ",");
    if (attribute && text !== "") found.set(attribute, { row, column, text });
  }
  return found;
}

/** Line breaks are written as \n, and that text as \\n. A line break begins a line also where HTML would ignore it. */
export function woocommerceText(text: string): string {
  return text.replace(/\\\\n|\\n|\n/g, (found) => (found === "\\\\n" ? "\\n" : "<br>"));
}
