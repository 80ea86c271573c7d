import type { Row } from "./read-rows.ts";
import { wholeRow, type Cell, type Sheet } from "./sheet.ts";

// https://github.com/woocommerce/woocommerce/wiki/Product-CSV-Import-Schema

export function isVariation(sheet: Sheet, row: Row): boolean {
  return sheet.format.source === "WOOCOMMERCE" && /\bvariation\b/i.test(sheet.textOf(row, "type"));
}

/** Returns true for a product with variations. */
export function isParent(sheet: Sheet, row: Row): boolean {
  return /\bvariable\b/i.test(sheet.textOf(row, "type"));
}

/** The attributes that tell variations apart, with a value for each. Their columns can differ between rows. */
export function findAttributes(sheet: Sheet, rows: readonly Row[]) {
  const attributes = new Map<string, Map<Row, Cell>>();
  const columns = sheet.format.columns.flatMap((title, column) => {
    const number = /^attribute (\d+) value/i.exec(title.trim())?.[1];
    return number === undefined ? [] : [{ column, nameColumn: `attribute${number}name` }];
  });
  for (const row of rows.filter((candidate) => isVariation(sheet, candidate))) {
    for (const { column, nameColumn } of columns) {
      const name = sheet.textOf(row, nameColumn);
      const text = (row.cells[column] ?? "").trim().replaceAll("\\,", ",");
      if (name) attributes.set(name, (attributes.get(name) ?? new Map()).set(row, { row, column, text }));
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
