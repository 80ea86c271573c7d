import type { InputIssue } from "../errors.ts";
import type { Condition } from "./columns.ts";

export const MAX_SEARCH_LENGTH = 200;
/** Words beyond these would narrow no search, and each costs as much as the first. */
const MAX_SEARCH_WORDS = 8;

/**
 * The same for texts that differ in the case of their letters alone, or in how those are composed. Done here rather than
 * by the database, whose idea of case depends on its locale.
 */
export function foldCase(value: string): string {
  // Composed last: there is a letter for j with a caron, and none for J. Greek has two lower-case sigmas, chosen by what
  // follows: as a part of a word they must be one.
  return value.toLowerCase().normalize("NFC").replaceAll("ς", "σ");
}

/** The text as search compares it: alike for signs that stand for the same, such as a ligature and its letters. */
export function foldText(value: string): string {
  return foldCase(value.normalize("NFKC"));
}

/** The words of a search, once each: a few signs stand for several words. */
function wordsOf(search: string): string[] {
  return [...new Set(foldText(search).split(/\s+/).filter(Boolean))];
}

/** Finds what is wrong with a search that is a text. */
export function checkSearch(path: string, search: string): InputIssue[] {
  if (wordsOf(search).length <= MAX_SEARCH_WORDS) return [];
  return [{ path, code: "too_big", message: `Must be at most ${MAX_SEARCH_WORDS} words` }];
}

/** One LIKE pattern for each word; all must match. `%`, `_` and `\` stand for themselves. */
function searchPatterns(search: string | null | undefined): string[] {
  return wordsOf(search ?? "").map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}

/** The conditions that a record's `search_text` has every word. */
export function searchConditions(search: string | null | undefined): Condition[] {
  return searchPatterns(search).map((value) => ({ sql: "search_text like ?", value, needsCustomPlan: true }));
}
