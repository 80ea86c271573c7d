// The columns of the CSV files that an export writes and an import reads back, with the names of the APIs.

/**
 * One row for each variant. `handle` is in every row of a product. The other columns of the product are in its first row
 * alone: `title`, `description`, `status` and the names of the options.
 */
export const productColumns =
  "handle title description status option1Name option1Value option2Name option2Value option3Name option3Value sku barcode price inventoryQuantity isStockTracked".split(
    " ",
  );

/** One row for each customer. */
export const customerColumns = ["email", "firstName", "lastName", "phone", "note"];

/** The beginnings of the columns of metadata, such as `metadata.erp_id`. That of variants is in each row. */
export const METADATA = { record: "metadata.", variant: "variantMetadata." };

/**
 * Beginnings of a cell that spreadsheets read as a formula, also after our apostrophe. Negative numbers are not formulas.
 * https://owasp.org/www-community/attacks/CSV_Injection
 */
const FORMULA = /^'*(?!-\d+(\.\d+)?$)[=+\-@\t\r\n＝＋－＠]/;

/** Makes a text harmless in spreadsheets by an apostrophe. `unescapeFormula` restores every text exactly. */
export function escapeFormula(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** Restores a text of `escapeFormula`. */
export function unescapeFormula(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
