import { sql, type Expression, type SqlBool } from "kysely";
import type { InputIssue } from "../model/errors.ts";
import { foldText } from "./fold.ts";

export const MAX_SEARCH_LENGTH = 200;
/** More words hardly narrow a search, and each costs time. */
const MAX_SEARCH_WORDS = 8;
/** The number of characters that count in a word. SKUs and barcodes are no longer. */
const MAX_WORD_LENGTH = 64;

/**
 * The start of a word: a letter or digit after another character, and each letter of a script that writes no spaces
 * between words.
 */
const WORD_START =
  /(?<![\p{L}\p{M}\p{N}])(?=[\p{L}\p{N}])|(?=[\p{L}&&[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]])/gv;
const LEADING_PUNCTUATION = /^[^\p{L}\p{N}]+(?=[\p{L}\p{N}])/u;

/** A search: a word, or terms that must all match, or any of them. A word matches the beginning of a record's words. */
export type SearchTerm = string | { all: readonly SearchTerm[] } | { any: readonly SearchTerm[] };

/**
 * The words of a record's value. Each continues to the next space, so `blue-green` has `blue-green` and `green`.
 */
export function wordsOf(value: string): string[] {
  return split(value).flatMap((part) => {
    const starts = new Set([0, ...part.matchAll(WORD_START).map(({ index }) => index)]);
    return [...starts].map((start) => part.slice(start));
  });
}

function split(text: string): string[] {
  return foldText(text).split(/\s+/).filter(Boolean);
}

/** Checks the text of a search. */
export function checkSearch(path: string, search: string): InputIssue[] {
  if (new Set(split(search)).size <= MAX_SEARCH_WORDS) return [];
  return [{ path, code: "too_big", message: `Must have at most ${MAX_SEARCH_WORDS} words` }];
}

/** The value of `search_words` for these words: a tsvector in PostgreSQL's notation. */
export function searchWords(shopId: string, words: Iterable<string>): string {
  return [...new Set(words)].map((word) => lexeme(shopId, word)).join(" ");
}

/** A search of a shop's records: tsqueries in PostgreSQL's notation, which must all match. */
export type Search = readonly string[];

/** Reads a search. `termOf` makes the term from its words. Undefined without words. */
export function searchOf(
  shopId: string,
  search: string | null | undefined,
  termOf: (words: readonly string[]) => SearchTerm,
): Search | undefined {
  const words = split(search ?? "");
  if (words.length === 0) return undefined;
  const term = termOf(words);
  const terms = typeof term === "object" && "all" in term ? term.all : [term];
  return [...new Set(terms.map((part) => textOf(shopId, part)))];
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
 * SQL: a record belongs to the shop. Without an index: those of tables have another collation, and compare alike. So
 * PostgreSQL starts from the search, even if it expects few records in the shop, or a limit to be reached soon.
 */
export function filterOfShop(shopId: Expression<string>): Expression<SqlBool> {
  return sql<SqlBool>`shop_id = ${shopId} collate "POSIX"`;
}

/** A term as a tsquery in PostgreSQL's notation. */
function textOf(shopId: string, term: SearchTerm): string {
  if (typeof term === "string") return `${lexeme(shopId, term.replace(LEADING_PUNCTUATION, ""))}:*`;
  const [terms, operator] = "all" in term ? [term.all, " & "] : [term.any, " | "];
  return `(${[...new Set(terms.map((part) => textOf(shopId, part)))].join(operator)})`;
}

/**
 * A word in the index. It starts with the end of the shop's id, so that a search reads the words of one shop. Shops with
 * the same end share words, which costs time only.
 */
function lexeme(shopId: string, word: string): string {
  const text = shopId.slice(-6) + [...word].slice(0, MAX_WORD_LENGTH).join("");
  return `'${text.replace(/['\\]/g, "$&$&")}'`;
}
