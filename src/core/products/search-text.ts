import { foldText } from "../queries/fold.ts";
import type { SearchPart } from "../queries/search.ts";

/** The minimum number of digits that match a barcode with other leading zeros. */
const MIN_DIGITS = 5;

/** The text that is searched, one line per value. Words have no line breaks, so they match within a line. */
export function searchText(
  product: { title: string; handle: string },
  variants: readonly { sku: string; barcode: string }[],
): string {
  const values = variants.flatMap(({ sku, barcode }) => [foldText(sku), ...barcodeLines(foldText(barcode))]);
  return [foldText(product.title), foldText(product.handle), ...values].filter((value) => value !== "").join("\n");
}

/** A barcode as written, without spaces and hyphens, and, if it is a number, without leading zeros. */
function barcodeLines(barcode: string): Set<string> {
  const compact = barcode.replace(/[\s-]/g, "");
  return new Set([barcode, compact, withoutZeros(compact)]);
}

/** The parts of a search, one per word. A word that may be a barcode also matches one with other leading zeros. */
export function productSearchParts(words: readonly string[]): SearchPart[] {
  return [...new Set(words)].map((word) => ({ words: [word], patterns: barcodePatterns(word) }));
}

function barcodePatterns(word: string): string[] {
  const code = withoutZeros(word.replaceAll("-", ""));
  // From the start of the line, because 0012345 is not 9912345. An ISBN or ISSN may end with X.
  return code !== word && /^\d+x?$/.test(code) && code.length >= MIN_DIGITS ? [`%\n${code}%`] : [];
}

function withoutZeros(digits: string): string {
  return /^\d+$/.test(digits) ? digits.replace(/^0+/, "") : digits;
}
