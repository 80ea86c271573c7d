// The CSV files that an export writes and an import reads back. The header has the names of the APIs, in this order.

/** `text` is escaped by `escapeFormula`. `number` is a decimal such as `-5` or `14.50` and is written as it is. */
export type CellType = "text" | "number";

/**
 * One row for each variant. `handle` is in every row of a product. The other columns of the product are in its first row
 * alone: `title`, `description`, `status` and the names of the options.
 */
export const productColumns = {
  handle: "text",
  title: "text",
  description: "text",
  status: "text",
  option1Name: "text",
  option1Value: "text",
  option2Name: "text",
  option2Value: "text",
  option3Name: "text",
  option3Value: "text",
  sku: "text",
  barcode: "text",
  price: "number",
  inventoryQuantity: "number",
} as const satisfies Record<string, CellType>;

/** One row for each customer. */
export const customerColumns = {
  email: "text",
  firstName: "text",
  lastName: "text",
  phone: "text",
  note: "text",
} as const satisfies Record<string, CellType>;

export type ProductColumn = keyof typeof productColumns;
export type CustomerColumn = keyof typeof customerColumns;

/**
 * Beginnings of a cell that spreadsheets read as a formula, also behind apostrophes of ours.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^'*[=+\-@\t\r\n＝＋－＠]/;

/** Makes a text harmless in spreadsheets by an apostrophe. `unescapeFormula` restores every text exactly. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Restores a text of `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
