import type { InputIssue } from "../model/errors.ts";
import type { Condition } from "./columns.ts";
import { foldText } from "./fold.ts";

export const MAX_SEARCH_LENGTH = 200;
/** Words beyond these would narrow no search, and each costs as much as the first. */
const MAX_SEARCH_WORDS = 8;

/** A part of a search. It matches text that has all of its words, or that one of its patterns matches. */
export interface SearchPart {
  words: readonly string[];
  /** Patterns of LIKE. */
  patterns: readonly string[];
}

/** The words of a search, in their order. A few signs stand for several words. */
function wordsOf(search: string): string[] {
  return foldText(search).split(/\s+/).filter(Boolean);
}

/** Finds what is wrong with a search that is a text. */
export function checkSearch(path: string, search: string): InputIssue[] {
  if (new Set(wordsOf(search)).size <= MAX_SEARCH_WORDS) return [];
  return [{ path, code: "too_big", message: `Must have at most ${MAX_SEARCH_WORDS} words` }];
}

/** The conditions that a record's `search_text` matches every part of a search, which `split` makes of its words. */
export function searchConditions(
  search: string | null | undefined,
  split: (words: readonly string[]) => SearchPart[],
): Condition[] {
  return split(wordsOf(search ?? "")).map(({ words, patterns }) => {
    const all = [...new Set(words)].map((word) => `%${escapeLike(word)}%`);
    const alternatives = [all.map(() => MATCHES).join(" and "), ...patterns.map(() => MATCHES)];
    return { sql: `(${alternatives.join(" or ")})`, values: [...all, ...patterns], needsCustomPlan: true };
  });
}

const MATCHES = "search_text like ?";

/** `%`, `_` and `\` stand for themselves. */
function escapeLike(word: string): string {
  return word.replace(/[\\%_]/g, "\\$&");
}
