import { sql, type Expression, type SqlBool } from "kysely";
import type { InputIssue } from "../model/errors.ts";
import { foldText, spellingsOf } from "../../platform/fold-text.ts";

export const MAX_SEARCH_LENGTH = 200;
/** How searches match, for the documentation of each list. */
export const SEARCH_RULE =
  "Each word must match, in any order. Punctuation separates words. Ignores case, accents and Unicode form. Codes match with or without spaces and punctuation. At most 8 words and 200 characters.";
/** More words hardly narrow a search, and each costs time. */
const MAX_SEARCH_WORDS = 8;
/** The number of characters that count in a word. SKUs and barcodes are no longer. */
const MAX_WORD_LENGTH = 64;
/** The minimum number of digits that are found joined, without a letter among them. */
const MIN_JOINED_DIGITS = 5;

// Words are those of Unicode (UAX #29), of letters, digits and symbols such as ❤. Punctuation separates them. Text without
// spaces before, in or after it, such as a SKU, is also found joined.
const SEPARATORS = /[^\p{L}\p{M}\p{N}\p{So}]+/gv;
const WORD = /[\p{L}\p{M}\p{N}\p{So}]+/gv;
/** Fractions and decimals, which are not joined: 1/2 is not 12. */
const NUMBER = /\d+(?:[.\/]\d+)+[\p{L}\p{M}\p{N}]*/gv;
/** A fraction or decimal with a unit: 3.5mm is not 35mm. */
const MEASURE = /^\d+[./]\d+\p{L}+$/u;
/** The places after a number, or the last factor of 60x40, and before a unit. A space may separate them. */
const AFTER_NUMBER = "(?<=(?:^|[^\\p{L}\\p{M}\\p{N}]|\\dx)\\d+)";
const BEFORE_UNIT = "(?=\\p{L}{1,3}(?![\\p{L}\\p{M}\\p{N}]))";
const SPACE_BEFORE_UNIT = new RegExp(`${AFTER_NUMBER}\\s+${BEFORE_UNIT}`, "gv");
/** Scripts that write no spaces between words, or join them. How their words are cut depends on the text around them. */
const UNSPACED_SCRIPTS =
  "Han,Hiragana,Katakana,Bopomofo,Hangul,Yi,Thai,Lao,Khmer,Myanmar,Tai_Le,New_Tai_Lue,Tai_Tham,Tai_Viet,Javanese,Balinese";
const UNSPACED = `[\\p{So}[\\p{L}&&[\\p{Script=${UNSPACED_SCRIPTS.replaceAll(",", "}\\p{Script=")}}]]]`;
const UNSPACED_LETTER = new RegExp(`^${UNSPACED}$`, "v");
/**
 * The start of a word in joined text: a letter or digit after another character, the second factor of 60x40, the unit of
 * 12oz, and each letter of an unspaced script.
 */
const WORD_START = new RegExp(
  `(?<![\\p{L}\\p{M}\\p{N}\\p{So}])(?=[\\p{L}\\p{N}\\p{So}])|(?=${UNSPACED})|(?<=${UNSPACED})(?=[\\p{L}\\p{N}])|(?<=\\d)(?=x\\d)|(?<=\\dx)(?=\\d)|${AFTER_NUMBER}${BEFORE_UNIT}`,
  "gv",
);
/** The articles that Arabic and Hebrew write before a word, also after a conjunction or preposition (as Lucene has them). */
const ARTICLES = [
  { begin: /^(?:[وبكف]?ال|لل)?(?=\p{Script=Arabic}{2})/u, forms: ["", "ال", "وال", "بال", "كال", "فال", "لل", "و"] },
  { begin: /^(?:ו?ה)?(?=\p{Script=Hebrew}{3})/u, forms: ["", "ה", "וה", "ו"] },
];
const EMAIL = /^[^@]+@[^@]+\.\p{L}{2,}$/v;
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/** A search: a beginning of a record's words, a whole word, or terms that must all match, or any of them. */
export type SearchTerm = string | { whole: string } | { all: readonly SearchTerm[] } | { any: readonly SearchTerm[] };

/** A word of a search as typed, without case and accents, and the term that finds it however it is punctuated. */
export interface SearchWord {
  text: string;
  term: SearchTerm;
}

/**
 * The words of a record's value. Those in joined text continue to its end: `blue-green` has `bluegreen` and `green`, and
 * `12 oz` has `12oz` and `oz`.
 */
export function wordsOf(value: string): string[] {
  return spellingsOf(value).flatMap((text) =>
    split(text.replace(SPACE_BEFORE_UNIT, "")).flatMap((part) => {
      // Most words: what follows would find the word alone.
      if (/^[a-z]+$/.test(part)) return part;
      const rests = [...part.matchAll(WORD_START)].map(({ index }) => part.slice(index));
      return [
        // Whole too, for searches that match whole words.
        ...rests.flatMap((rest) => [rest.match(WORD)![0], ...(isJoinable(rest) ? [join(rest)] : [])]),
        ...(part.match(NUMBER) ?? []),
      ];
    }),
  );
}

/** The words of a SKU or another code, also as a whole. */
export function codeWordsOf(code: string): string[] {
  return [...wordsOf(code), join(foldText(code))].filter(Boolean);
}

/** Text without spaces and punctuation. */
export function join(text: string): string {
  return text.replace(SEPARATORS, "");
}

/** Returns true for text that its letters and digits identify without punctuation. */
export function isJoinable(text: string): boolean {
  const joined = join(text);
  if (text.match(WORD)?.length === 1) return true;
  return /\p{L}|\p{So}/v.test(joined) ? !MEASURE.test(text) : joined.length >= MIN_JOINED_DIGITS;
}

/**
 * The parts of folded text between spaces, and commas and semicolons, which codes do not have. Factors are joined, and a
 * decimal comma is a point.
 */
function split(text: string): string[] {
  const parts = text
    .replace(/(?<=\d),(?=\d)/g, ".")
    .replace(/(?<=\d)\s*x\s*(?=\d)/g, "x")
    .split(/[\s,;]+/);
  return parts.filter((part) => join(part) !== "");
}

/** The words of a search. */
function readWords(search: string): SearchWord[] {
  const [first = [], ...others] = spellingsOf(search.replace(/\b(mailto|tel):/gi, "")).map(split);
  return first.map((text, index) => {
    const spelled = [text, ...others.map((parts) => parts[index]!)];
    return { text, term: eitherTerm(spelled.map(termOf)) };
  });
}

/** The term that finds a part of a search. */
function termOf(text: string): SearchTerm {
  const trimmed = text.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gv, "");
  const words = [...segmenter.segment(text)].flatMap(({ segment }) => segment.match(WORD) ?? []);
  const joined = isJoinable(text) ? [join(text)] : [];
  if (trimmed.replace(NUMBER, "") === "" && trimmed !== "") return eitherTerm([trimmed, ...joined]);
  if (words.length === 1) return beginningOf(words[0]!);
  if (words.length > MAX_SEARCH_WORDS) return eitherTerm(joined);
  // As beginnings, the words of an email address or a code match many others, and cost seconds among a million.
  const isCode = EMAIL.test(trimmed) || (/\p{L}/u.test(text) && /\d/.test(text));
  if (isCode) return eitherTerm([...joined, { all: words.map((whole) => ({ whole })) }]);
  const isShort = (word: string) => [...word].length === 1 && !UNSPACED_LETTER.test(word);
  const each = words.map((word) => (isShort(word) ? { whole: word } : beginningOf(word)));
  // Not joined or all, so that a search can start from the rarest word.
  return { all: each.map((word) => eitherTerm([...joined, word])) };
}

/** The beginning of a word, with and without an article. */
function beginningOf(word: string): SearchTerm {
  const article = ARTICLES.find(({ begin }) => begin.test(word));
  return article ? eitherTerm(article.forms.map((form) => form + word.replace(article.begin, ""))) : word;
}

export function eitherTerm(terms: readonly SearchTerm[]): SearchTerm {
  return terms.length === 1 ? terms[0]! : { any: terms };
}

/** Checks the text of a search. */
export function checkSearch(path: string, search: string): InputIssue[] {
  if (new Set(split(foldText(search))).size <= MAX_SEARCH_WORDS) return [];
  return [{ path, code: "too_big", message: `Must have at most ${MAX_SEARCH_WORDS} words` }];
}

/** The value of `search_words` for these words: a tsvector in PostgreSQL's notation. */
export function searchWords(shopId: string, words: Iterable<string>): string {
  return [...new Set(words)].map((word) => lexeme(shopId, word)).join(" ");
}

/** A search of a shop's records: tsqueries in PostgreSQL's notation, which must all match. */
export type Search = readonly string[];

/** Reads a search. `makeTerm` makes the term from its words. Undefined without words. */
export function searchOf(
  shopId: string,
  search: string | null | undefined,
  makeTerm: (words: readonly SearchWord[]) => SearchTerm,
): Search | undefined {
  const words = readWords(search ?? "");
  if (words.length === 0) return undefined;
  const term = makeTerm(words);
  return [...new Set(partsOf(term).map((part) => textOf(shopId, part)))];
}

/** A search of a shop's records for whole words, of which any must match. */
export function searchOfAny(shopId: string, words: readonly string[]): Search {
  return [textOf(shopId, eitherTerm(words.map((whole) => ({ whole }))))];
}

/** The terms that must all match. */
function partsOf(term: SearchTerm): SearchTerm[] {
  return typeof term === "object" && "all" in term ? term.all.flatMap(partsOf) : [term];
}

/** SQL: a record's `search_words` match the search. */
export function matchOf(search: Search): Expression<SqlBool> {
  return sql<SqlBool>`search_words @@ ${search.join(" & ")}::tsquery`;
}

/** SQL: the same, without the index. */
export function filterOf(search: Search): Expression<SqlBool> {
  return sql<SqlBool>`(${matchOf(search)}) is true`;
}

/**
 * SQL: a record belongs to the shop. Uses a collation that no index has, so PostgreSQL cannot use an index on shop_id and
 * starts from the search, even if it expects few records in the shop, or a limit to be reached soon.
 */
export function filterOfShop(shopId: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`shop_id = ${shopId} collate "POSIX"`;
}

/** A term as a tsquery in PostgreSQL's notation. */
function textOf(shopId: string, term: SearchTerm): string {
  if (typeof term === "string") return `${lexeme(shopId, term)}:*`;
  if ("whole" in term) return lexeme(shopId, term.whole);
  const [terms, operator] = "all" in term ? [term.all, " & "] : [term.any, " | "];
  return `(${[...new Set(terms.map((part) => textOf(shopId, part)))].join(operator)})`;
}

/**
 * A word in the index. It starts with the end of the shop's id, so that a search reads the words of one shop. Shops with
 * the same end share words, which costs time only.
 */
function lexeme(shopId: string, word: string): string {
  const start = word.length > MAX_WORD_LENGTH ? [...word].slice(0, MAX_WORD_LENGTH).join("") : word;
  const text = shopId.slice(-6) + start;
  return `'${text.replace(/['\\]/g, "$&$&")}'`;
}
