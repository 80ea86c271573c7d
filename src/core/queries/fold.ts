/** Ignores case and Unicode composition. In code, because the database would follow its locale. */
export function foldCase(value: string): string {
  return withoutCase(value.normalize("NFD")).normalize("NFC");
}

/**
 * The text that searches compare: without case, compatibility forms (the ligature ﬁ is fi), accents and invisible
 * characters, and with the quotes and dashes of a keyboard.
 */
export function foldText(value: string): string {
  // The compatibility form of a separate acute accent is a space with an accent.
  const quoted = value.normalize("NFD").replaceAll("\u00b4", "'");
  return withoutCase(quoted.normalize("NFKD"))
    .normalize("NFKD")
    .replace(DROPPED, "")
    .replace(RESPELLED, (character) => spellings.get(character)!)
    .normalize("NFC");
}

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
 * another letter. So do vowel signs of scripts such as Thai and Devanagari.
 */
const DROPPED =
  /[\p{Default_Ignorable_Code_Point}[\p{Script=Inherited}--[\u3099\u309a]][\p{Script=Hebrew}&&\p{Nonspacing_Mark}]]/gv;

/**
 * Letters with a stroke, which Unicode does not count as an accent, ligatures, and typographic punctuation, with what
 * people type instead.
 */
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
