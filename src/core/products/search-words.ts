import { foldText } from "../../platform/fold-text.ts";
import {
  eitherTerm,
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
/** The digits of the longest item number, a GTIN-14. */
const MAX_ITEM_DIGITS = 14;
/** FNC1, as scanners send it: a group separator. */
const GS = "\x1d";
/** GS1 General Specifications, 5.1.2: the symbology of a code, and FNC1 in the first position. */
const SYMBOLOGY = new RegExp(`^(?:\\][a-z]\\d)?${GS}?`);
/** The same, 7.8.5: the digits after the first two of elements of a predefined length. All others end with FNC1. */
const PREDEFINED = { "00": 18, "0[1-3]": 14, "04": 16, "1[1-9]": 6, "20": 2, "3[1-6]": 8, "41": 14 };
const elements = Object.entries(PREDEFINED).map(([start, digits]) => `${start}\\d{${digits}}`);
const other = `(?!${Object.keys(PREDEFINED).join("|")})\\d\\d[^${GS}]+${GS}`;
/** The item number, 01, in an element string, in its form for people, and in a GS1 Digital Link, the address in a QR code. */
const ITEM_NUMBERS = [
  new RegExp(`^(?:(?:${[...elements, other].join("|")})${GS}?)*?01(\\d{14})`),
  /^\((?:\d{2,4}\).*?\()??01\)(\d{14})(?!\d)/,
  /^https?:\/\/[^?#]*\/(?:01|gtin)\/(\d{8,14})(?![^/?#])/,
];

/** The words that find a product. */
export function productSearchWords(
  product: { shopId: string; title: string; handle: string },
  variants: readonly { sku: string; barcode: string }[],
): string {
  const { shopId, title, handle } = product;
  const barcodes = variants.map(({ barcode }) => barcode);
  const spaced = handle.replaceAll("-", " ");
  return searchWords(shopId, [
    // Most handles are made of the title, and have its words.
    ...(spaced === title.toLowerCase() ? [title] : [title, spaced]).flatMap(wordsOf),
    // Whole, since most of its ends would be in no other word. But 1-2-inch is not 12.
    ...(/^\d+-\d{1,2}(?!\d)/.test(handle) ? [] : [join(foldText(handle))]),
    ...[...variants.map(({ sku }) => sku), ...barcodes].flatMap(codeWordsOf),
    ...barcodes.map((barcode) => withoutZeros(join(foldText(barcode)))).filter(Boolean),
  ]);
}

/** Each word must match, or all words together as a code. */
export function productSearchTerm(words: readonly SearchWord[]): SearchTerm {
  const all = words.map(({ text, term }) => eitherTerm([term, ...barcodeTerms(text)]));
  const whole = words.map(({ text }) => text).join(" ");
  const codes = words.length > 1 ? [...codeTerms(whole.replaceAll(" ", "")), ...barcodeTerms(whole)] : [];
  return { all: all.map((term) => eitherTerm([term, ...codes])) };
}

/** The beginning of a SKU, written without spaces. */
function codeTerms(text: string): string[] {
  return /\p{L}/u.test(text) && /\d/.test(text) && isJoinable(text) ? [join(text)] : [];
}

/** The beginning of a barcode, written without spaces, hyphens and leading zeros, or scanned. */
function barcodeTerms(text: string): string[] {
  const scanned = text.replaceAll(" ", "").replace(SYMBOLOGY, "");
  const code = withoutZeros(itemNumberOf(scanned) ?? join(scanned));
  // An ISBN or ISSN may end with X.
  return /^\d+x?$/.test(code) && code.length >= MIN_DIGITS ? [code] : [];
}

/** What equal codes have in common: no case, spaces, punctuation and leading zeros. Empty without letters and digits. */
export const keyOfCode = (code: string): string => withoutZeros(join(foldText(code)));

/** The codes that a scanner may mean: as sent, without its symbology, and the item number inside. */
export function keysOfScan(scanned: string): string[] {
  const text = foldText(scanned).replaceAll(/\s/g, "");
  const code = text.replace(SYMBOLOGY, "");
  return [...new Set([text, code, itemNumberOf(code) ?? ""].map(keyOfCode))].filter(Boolean);
}

/** The item number in a scanned code without its symbology. */
function itemNumberOf(code: string): string | undefined {
  return ITEM_NUMBERS.map((form) => form.exec(code)?.[1]).find(Boolean);
}

/** The words of the products with this code, of which a SKU keeps its zeros. */
export function wordsOfKey(key: string): string[] {
  if (!/^\d+$/.test(key)) return [key];
  const zeros = Math.max(0, MAX_ITEM_DIGITS - key.length);
  return Array.from({ length: zeros + 1 }, (_, count) => "0".repeat(count) + key);
}

/** The zeros before an item number mean nothing. Those of a longer number, such as that of a pallet, do. */
function withoutZeros(code: string): string {
  return /^\d+$/.test(code) && code.length <= MAX_ITEM_DIGITS ? code.replace(/^0+(?=\d)/, "") : code;
}
