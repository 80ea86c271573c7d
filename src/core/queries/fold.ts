/**
 * The text without the difference of capital and small letters, and of composed and decomposed ones. The database would
 * follow its locale.
 */
export function foldCase(value: string): string {
  return withoutCase(value.normalize("NFD")).normalize("NFC");
}

/**
 * The text as search compares it: without case, compatibility forms (the ligature ﬁ is fi), accents and invisible
 * characters. Typographic quotes and dashes become those of a keyboard.
 */
export function foldText(value: string): string {
  // The compatibility form of an acute accent by itself is a space with an accent.
  const quoted = value.normalize("NFD").replaceAll("\u00b4", "'");
  return withoutCase(quoted.normalize("NFKD"))
    .normalize("NFKD")
    .replace(DROPPED, "")
    .replace(RESPELLED, (character) => spellings.get(character)!)
    .normalize("NFC");
}

/**
 * Full case folding (Unicode, section 3.13), for which JavaScript has no function. Small letters come first, since ẞ is a
 * capital already. In capitals, ß is SS and ς is Σ. I, İ, i and ı become one: which two are a pair depends on the language.
 */
function withoutCase(value: string): string {
  return value.toLowerCase().toUpperCase().toLowerCase().replaceAll("ς", "σ").replaceAll("i\u0307", "i");
}

/**
 * Accents and other marks that belong to no script, and the vowel points of Hebrew. The sound marks of Japanese stay, for they
 * make another letter. So do the vowel signs of scripts such as Thai and Devanagari.
 */
const DROPPED =
  /[\p{Default_Ignorable_Code_Point}[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{Nonspacing_Mark}]]/gv;

/** Letters with a stroke, which is no accent to Unicode, ligatures, and typographic punctuation, by what people type. */
const typed = {
  d: "đð",
  h: "ħ",
  l: "ł",
  o: "ø",
  t: "ŧ",
  ae: "æ",
  oe: "œ",
  th: "þ",
  "'": "‘’‛ʻʼ`",
  '"': "“”„",
  "-": "‐‒–—―−",
};
const spellings = new Map(
  Object.entries(typed).flatMap(([text, characters]) => [...characters].map((character) => [character, text])),
);
const RESPELLED = new RegExp(`[${[...spellings.keys()].join("")}]`, "g");
