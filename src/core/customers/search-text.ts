import { readableAddress } from "../../platform/mail/email-address.ts";
import { foldText } from "../queries/fold.ts";
import type { SearchPart } from "../queries/search.ts";

/** The minimum number of digits that match a phone number in any format. */
const MIN_DIGITS = 5;
/** ITU-T E.164, annex D: no code is the beginning of another. */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

export interface CustomerSearchFields {
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
}

/** The text that is searched: one line per value and format. */
export function customerSearchText({ email, firstName, lastName, phone }: CustomerSearchFields): string {
  const values = [email, readableAddress(email), ...nameLines(firstName, lastName), ...phoneLines(phone ?? "")];
  return [...new Set(values.map((value) => foldText(value)))].filter((value) => value.trim() !== "").join("\n");
}

/** Chinese, Japanese and Korean names are also written without a space, family name first. */
function nameLines(firstName: string, lastName: string): string[] {
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(lastName);
  return [`${firstName} ${lastName}`, ...(isUnspaced ? [lastName + firstName] : [])];
}

/** A phone number as written, its digits, and its digits without leading zeros of area or country. */
function phoneLines(phone: string): string[] {
  return [phone, phone.replace(/\D/g, ""), significantDigits(phone)];
}

/** The parts of a search: one per word, and one for all words together if they may be a phone number. */
export function customerSearchParts(words: readonly string[]): SearchPart[] {
  const isOfNumber = (word: string) => /^[\d+\-()./]+$/.test(word);
  const number = words.filter(isOfNumber);
  const others = [...new Set(words)].filter((word) => !isOfNumber(word));
  const parts = others.map((word) => ({ words: [word], patterns: [] as string[] }));
  return number.length > 0 ? [...parts, { words: number, patterns: phonePatterns(number.join("")) }] : parts;
}

/** Patterns that find a phone number with or without its country code, in any stored format. */
function phonePatterns(number: string): string[] {
  const digits = significantDigits(number);
  if (digits.length < MIN_DIGITS) return [];
  // Without its country code, it is a separate line.
  const national = isInternational(number) ? digits.replace(COUNTRY_CODE, "") : "";
  return [`%${digits}%`, ...(national.length >= MIN_DIGITS ? [`%\n${national}%`] : [])];
}

/** The digits without the zeros dialled before an area or country: +49 (0)30, +49 030 and 0049 30 are all 4930. */
function significantDigits(number: string): string {
  const digits = number.replaceAll("(0)", "").replace(/\D/g, "").replace(/^0+/, "");
  const [country = ""] = isInternational(number) ? (COUNTRY_CODE.exec(digits) ?? []) : [];
  return country + digits.slice(country.length).replace(/^0+/, "");
}

function isInternational(number: string): boolean {
  return /^\s*\(?(\+|00)/.test(number);
}
