/** Ignores case and Unicode composition. In code, because the database would follow its locale. */
export function foldCase(value: string): string {
  return withoutCase(value.normalize("NFD")).normalize("NFC");
}

/**
 * The text that searches compare: without case, compatibility forms (the ligature ﬁ is fi), accents and invisible
 * characters, with ASCII digits, and with what people type instead of letters that their keyboard lacks.
 */
export function foldText(value: string): string {
  if (/^\p{ASCII}*$/u.test(value)) return value.toLowerCase();
  const spaced = value.replace(FRACTION, " $&").replace(UNREAD, "").replaceAll("\u200c", "-");
  return withoutCase(spaced.normalize("NFKD"))
    .normalize("NFKD")
    .replace(DROPPED, "")
    .replace(RESPELLED, (character) => spellings.get(character)!)
    .replace(HIRAGANA, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0x60))
    .replace(FOREIGN_DIGIT, asciiDigit)
    .normalize("NFC");
}

/** The folded text, and the one with German and Nordic letters as two, as in Mueller. */
export function spellingsOf(value: string): string[] {
  const spelled = value.normalize("NFC").replace(/[äöüåø]/gi, (letter) => digraphs[letter.toLowerCase()]!);
  return spelled === value ? [foldText(value)] : [...new Set([foldText(value), foldText(spelled)])];
}

/** DIN 5007-2 and the Danish and Norwegian orthographies. */
const digraphs: Record<string, string> = { ä: "ae", ö: "oe", ü: "ue", å: "aa", ø: "oe" };

/**
 * Full case folding (Unicode, section 3.13), which JavaScript lacks. Lowercase comes first, because ẞ is uppercase. In
 * uppercase, ß is SS and ς is Σ. I, İ, i and ı become one letter, because which two form a pair depends on the
 * language.
 */
function withoutCase(value: string): string {
  return value.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i");
}

/**
 * Accents and other marks of no script, and the vowel points of Hebrew. Japanese sound marks stay, because they form
 * another letter. So do vowel signs of scripts such as Thai and Devanagari. Tatweel only stretches an Arabic word.
 */
const DROPPED =
  /[\p{Default_Ignorable_Code_Point}[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{Nonspacing_Mark}]\u0640]/gv;
const UNREAD = /[®™©℠]/g;
/** ½ after a number is a separate word. */
const FRACTION = /[¼½¾⅐-⅞↉]/g;
/** Katakana are the same sounds. */
const HIRAGANA = /[ぁ-ゖ]/g;

/**
 * Letters with a stroke, which Unicode does not count as an accent (CLDR, Latin-ASCII), Arabic letters as Lucene's
 * ArabicNormalizer and PersianNormalizer fold them, and signs, with what people type instead.
 */
const typed = {
  d: "đð",
  h: "ħ",
  l: "ł",
  n: "ŋ",
  o: "ø",
  t: "ŧ",
  x: "×✕✖⨯",
  ae: "æ",
  oe: "œ",
  th: "þ",
  "/": "⁄∕",
  "'": "ʻʼʽʹˈ",
  ا: "ٱ",
  ه: "ةەہ",
  ك: "ک",
  ي: "ىیے",
};
const spellings = new Map(
  Object.entries(typed).flatMap(([text, characters]) => [...characters].map((character) => [character, text])),
);
const RESPELLED = new RegExp(`[${[...spellings.keys()].join("")}]`, "gu");

const FOREIGN_DIGIT = /[\p{Nd}--[0-9]]/gv;

/** Writes the digits of every script in ASCII. */
export function asciiDigits(text: string): string {
  return text.replace(FOREIGN_DIGIT, asciiDigit);
}

/** Unicode has the digits of each script in a row, from zero to nine. */
function asciiDigit(digit: string): string {
  const code = digit.codePointAt(0)!;
  let zero = code;
  while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
  return String((code - zero) % 10);
}
