import { sql, type Expression, type SqlBool } from "kysely";
import type { InputIssue } from "../model/errors.ts";
import { foldText } from "./fold.ts";

export const MAX_SEARCH_LENGTH = 200;
/** More words hardly narrow a search, and each costs as much as the first. */
const MAX_SEARCH_WORDS = 8;

/** A part of a search. It matches text with all of its words, or text that one of its patterns matches. */
export interface SearchPart {
  words: readonly string[];
  /** Patterns of LIKE. */
  patterns: readonly string[];
}

/** The words of a search, in order. Some characters separate words. */
function wordsOf(search: string): string[] {
  return foldText(search).split(/\s+/).filter(Boolean);
}

/** Checks the text of a search. */
export function checkSearch(path: string, search: string): InputIssue[] {
  if (new Set(wordsOf(search)).size <= MAX_SEARCH_WORDS) return [];
  return [{ path, code: "too_big", message: `Must have at most ${MAX_SEARCH_WORDS} words` }];
}

/**
 * The conditions for a record's `search_text` to match every part of a search. `split` makes the parts from the words.
 */
export function searchConditions(
  search: string | null | undefined,
  split: (words: readonly string[]) => SearchPart[],
): Expression<SqlBool>[] {
  return split(wordsOf(search ?? "")).map(({ words, patterns }) => {
    const all = [...new Set(words)].map((word) => matches(`%${escapeLike(word)}%`));
    const alternatives = [sql`${sql.join(all, sql` and `)}`, ...patterns.map(matches)];
    return sql<SqlBool>`(${sql.join(alternatives, sql` or `)})`;
  });
}

function matches(pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`search_text like ${pattern}`;
}

/** Escapes `%`, `_` and `\`. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, "\\$&");
}
