import slugify from "@sindresorhus/slugify";
import transliterate from "@sindresorhus/transliterate";
import { MAX_HANDLE_LENGTH } from "../model/products/product.entity.ts";

/**
 * The slug of a title. Words are transliterated to ASCII if possible, and otherwise keep their letters. "product" for a
 * title without letters and digits.
 */
export function slugOf(title: string): string {
  const slug = isSpelled(title) ? spell(title) : title.split(/\s+/).map(slugOfWord).filter(Boolean).join("-");
  return cutSlug(slug, MAX_HANDLE_LENGTH) || "product";
}

/** The start of a slug, up to this length. */
export function cutSlug(slug: string, length: number): string {
  return [...slug].slice(0, length).join("").replace(/-+$/, "");
}

function slugOfWord(word: string): string {
  const compatible = compatibleForm(word);
  const spelled = [word, compatible].find(isSpelled);
  return spelled === undefined ? onlyLetters(compatible) : spell(spelled);
}

/** Returns true when every letter and digit has a transliteration. */
function isSpelled(text: string): boolean {
  return /^\p{ASCII}*$/u.test(text) || !/[[\p{L}\p{Nd}]--\p{ASCII}]/v.test(transliterate(text));
}

function spell(text: string): string {
  return slugify(text, { decamelize: false });
}

function onlyLetters(word: string): string {
  const small = word
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .toLowerCase()
    .normalize("NFC");
  const preserveCharacters = small.match(/\p{M}/gu) ?? [];
  return slugify(small, { decamelize: false, transliterate: false, preserveCharacters }).replace(/^[\p{M}-]+/u, "");
}

/** Replaces letters such as full-width ones by the usual ones. Excludes Thai and Lao vowels, which NFKC splits. */
function compatibleForm(word: string): string {
  return word.replace(/[^\u0e33\u0eb3]+/gu, (part) => part.normalize("NFKC"));
}
