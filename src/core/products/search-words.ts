import { foldText } from "../queries/fold.ts";
import { searchWords, wordsOf, type SearchTerm } from "../queries/search.ts";

/** The minimum number of characters that match a barcode written in another way. */
const MIN_LENGTH = 5;

/** The words that find a product. */
export function productSearchWords(
  product: { shopId: string; title: string; handle: string },
  variants: readonly { sku: string; barcode: string }[],
): string {
  const { shopId, title, handle } = product;
  const values = [title, handle.replaceAll("-", " "), ...variants.flatMap(({ sku, barcode }) => [sku, barcode])];
  const barcodes = variants.map(({ barcode }) => compact(foldText(barcode))).filter((barcode) => barcode !== "");
  return searchWords(shopId, [
    ...values.flatMap(wordsOf),
    // Whole, since most of its ends would be in no other word.
    foldText(handle),
    ...barcodes,
    ...barcodes.map((barcode) => withoutZeros(barcode)),
  ]);
}

/** Each word must match, or all words together as a barcode. */
export function productSearchTerm(words: readonly string[]): SearchTerm {
  const all = words.map((word) => ({ any: [word, ...barcodeTerms(word)] }));
  const barcodes = words.length > 1 ? barcodeTerms(words.join("")) : [];
  return barcodes.length > 0 ? { any: [{ all }, ...barcodes] } : { all };
}

/** The beginning of a barcode, written without spaces, hyphens and leading zeros. */
function barcodeTerms(text: string): string[] {
  const code = withoutZeros(compact(text));
  // An ISBN or ISSN may end with X.
  return /^\d+x?$/.test(code) && code.length >= MIN_LENGTH ? [code] : [];
}

function compact(barcode: string): string {
  return barcode.replace(/[\s-]/g, "");
}

function withoutZeros(digits: string): string {
  return /^\d+$/.test(digits) ? digits.replace(/^0+/, "") : digits;
}
