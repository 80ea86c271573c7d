import { foldText } from "../../platform/fold-text.ts";
import {
  anyOf,
  codeWordsOf,
  isJoinable,
  join,
  searchWords,
  wordsOf,
  type SearchTerm,
  type SearchWord,
} from "../queries/search.ts";

/** The minimum number of digits that match a barcode written in another way. */
const MIN_DIGITS = 5;
/** GS1 General Specifications: what a scanner sends before a code, its symbology, and before an item number, 01. */
const SYMBOLOGY = /^\][a-z]\d/;
const ITEM_NUMBER = /^\(?01\)?(\d{14})/;
/** GS1 Digital Link: the address in a QR code. */
const DIGITAL_LINK = /^https?:\/\/[^?#]*\/01\/(\d{8,14})(?![^/?#])/;
/** The digits of the longest item number, a GTIN-14. */
const MAX_ITEM_DIGITS = 14;

/** The words that find a product. */
export function productSearchWords(
  product: { shopId: string; title: string; handle: string },
  variants: readonly { sku: string; barcode: string }[],
): string {
  const { shopId, title, handle } = product;
  const barcodes = variants.map(({ barcode }) => barcode);
  return searchWords(shopId, [
    ...[title, handle.replaceAll("-", " ")].flatMap(wordsOf),
    // Whole, since most of its ends would be in no other word. But 1-2-inch is not 12.
    ...(/^\d+-\d{1,2}(?!\d)/.test(handle) ? [] : [join(foldText(handle))]),
    ...[...variants.map(({ sku }) => sku), ...barcodes].flatMap(codeWordsOf),
    ...barcodes.map((barcode) => withoutZeros(join(foldText(barcode)))).filter(Boolean),
  ]);
}

/** Each word must match, or all words together as a code. */
export function productSearchTerm(words: readonly SearchWord[]): SearchTerm {
  const all = words.map(({ text, term }) => anyOf([term, ...barcodeTerms(text)]));
  const whole = words.map(({ text }) => text).join(" ");
  const codes = words.length > 1 ? [...codeTerms(whole.replaceAll(" ", "")), ...barcodeTerms(whole)] : [];
  return { all: all.map((term) => anyOf([term, ...codes])) };
}

/** The beginning of a SKU, written without spaces. */
function codeTerms(text: string): string[] {
  return /\p{L}/u.test(text) && /\d/.test(text) && isJoinable(text) ? [join(text)] : [];
}

/** The beginning of a barcode, written without spaces, hyphens and leading zeros, or scanned. */
function barcodeTerms(text: string): string[] {
  const scanned = text.replaceAll(" ", "").replace(SYMBOLOGY, "");
  const code = withoutZeros(ITEM_NUMBER.exec(scanned)?.[1] ?? join(scanned));
  // An ISBN or ISSN may end with X.
  return /^\d+x?$/.test(code) && code.length >= MIN_DIGITS ? [code] : [];
}

/** What equal codes have in common: no case, spaces, punctuation and leading zeros. Empty without letters and digits. */
export const keyOfCode = (code: string): string => join(foldText(code)).replace(/^0+(?=\d+$)/, "");

/** The codes that a scanner may mean: as sent, without its symbology, and the item number inside. */
export function keysOfScan(scanned: string): string[] {
  const text = foldText(scanned).replaceAll(/\s/g, "");
  const code = text.replace(SYMBOLOGY, "");
  const item = (DIGITAL_LINK.exec(code) ?? ITEM_NUMBER.exec(code))?.[1];
  return [...new Set([text, code, item ?? ""].map(keyOfCode))].filter(Boolean);
}

/** The words of the products with this code, of which a SKU keeps its zeros. */
export function wordsOfKey(key: string): string[] {
  if (!/^\d+$/.test(key)) return [key];
  const zeros = Math.max(0, MAX_ITEM_DIGITS - key.length);
  return Array.from({ length: zeros + 1 }, (_, count) => "0".repeat(count) + key);
}

function withoutZeros(digits: string): string {
  return /^\d+$/.test(digits) ? digits.replace(/^0+/, "") : digits;
}
