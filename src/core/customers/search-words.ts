import { readableAddress } from "../../platform/mail/email-address.ts";
import { foldText } from "../../platform/fold-text.ts";
import { searchWords, wordsOf, type SearchTerm, type SearchWord } from "../queries/search.ts";

/** The minimum number of digits that match a phone number in any format. */
const MIN_DIGITS = 5;
/** Marks a number that was entered without its country code. It is a capital, and folded words have none. */
const NATIONAL = "N";
/** ITU-T E.164, annex D: no code is the beginning of another. */
const COUNTRY_CODE = /^(1|7|2[07]|3[0-469]|4[013-9]|5[1-8]|6[0-6]|8[1246]|9[0-58]|\d{3})/;

export interface CustomerSearchFields {
  shopId: string;
  email: string;
  firstName: string;
  lastName: string;
  phone: string | null;
}

/** The words that find a customer. */
export function customerSearchWords({ shopId, email, firstName, lastName, phone }: CustomerSearchFields): string {
  const values = [email, readableAddress(email), ...nameLines(firstName, lastName), phone ?? ""];
  return searchWords(shopId, [...values.flatMap(wordsOf), ...phoneWords(foldText(phone ?? ""))]);
}

/** Chinese, Japanese and Korean names are also written without a space, family name first. */
function nameLines(firstName: string, lastName: string): string[] {
  const isUnspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u.test(lastName);
  return [`${firstName} ${lastName}`, ...(isUnspaced ? [lastName + firstName] : [])];
}

/** The digits of a phone number from each of them on, because people may know its end, and without its country code. */
function phoneWords(phone: string): string[] {
  const digits = significantDigits(phone);
  if (digits === "") return [];
  const words = [phone.replace(/\D/g, ""), digits].flatMap(endsOf);
  return isInternational(phone) ? words : [...words, NATIONAL + digits];
}

function endsOf(digits: string): string[] {
  const starts = Array.from({ length: Math.max(1, digits.length - MIN_DIGITS + 1) }, (_, start) => start);
  return starts.map((start) => digits.slice(start));
}

/** The term of a search: all words, where those of a phone number may also match together. */
export function customerSearchTerm(words: readonly SearchWord[]): SearchTerm {
  const isOfNumber = ({ text }: SearchWord) => /^[^\p{L}]*\d[^\p{L}]*$/u.test(text);
  const number = words.filter(isOfNumber);
  const others = words.filter((word) => !isOfNumber(word)).map(({ term }) => term);
  if (number.length === 0) return { all: others };
  const all = number.map(({ term }) => term);
  return { all: [...others, { any: [{ all }, ...phoneTerms(number.map(({ text }) => text).join(""))] }] };
}

/** Finds a phone number with or without its country code, in any stored format. */
function phoneTerms(number: string): string[] {
  const digits = significantDigits(number);
  if (digits.length < MIN_DIGITS) return [];
  const national = isInternational(number) ? digits.replace(COUNTRY_CODE, "") : "";
  return [digits, ...(national.length >= MIN_DIGITS ? [NATIONAL + national] : [])];
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
