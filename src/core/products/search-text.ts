import { foldText } from "../queries/fold.ts";
import type { SearchPart } from "../queries/search.ts";

/** Digits of a barcode without leading zeros that are enough to search for it by them. */
const MIN_DIGITS = 5;

/** The text that search looks into, a line for each value: a word never has a line break, so it matches inside one. */
export function searchText(
  product: { title: string; handle: string },
  variants: { sku: string; barcode: string }[],
): string {
  const values = variants.flatMap(({ sku, barcode }) => [foldText(sku), ...barcodeLines(foldText(barcode))]);
  return [foldText(product.title), foldText(product.handle), ...values].filter((value) => value !== "").join("\n");
}

/** A barcode as it is written, without spaces and hyphens, and then, of digits, without leading zeros. */
function barcodeLines(barcode: string): Set<string> {
  const compact = barcode.replace(/[\s-]/g, "");
  return new Set([barcode, compact, withoutZeros(compact)]);
}

/** The parts of a search, one for each word. What may be a barcode also matches one with other zeros in front. */
export function productSearchParts(words: readonly string[]): SearchPart[] {
  return [...new Set(words)].map((word) => ({ words: [word], patterns: barcodePatterns(word) }));
}

function barcodePatterns(word: string): string[] {
  const code = withoutZeros(word.replaceAll("-", ""));
  // From the beginning of its line: 0012345 is not 9912345. An ISBN or ISSN may end with X.
  return code !== word && /^\d+x?$/.test(code) && code.length >= MIN_DIGITS ? [`%\n${code}%`] : [];
}

function withoutZeros(digits: string): string {
  return /^\d+$/.test(digits) ? digits.replace(/^0+/, "") : digits;
}
