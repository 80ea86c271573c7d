import type { Condition } from "./read-page.ts";

export const MAX_SEARCH_LENGTH = 200;

// Folded here on both sides rather than by the database, whose idea of case depends on its locale.
export function foldText(value: string): string {
  // Greek has two lower-case sigmas, chosen by what follows: as a part of a word they must be one.
  return value.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** One LIKE pattern for each word; all must match. `%`, `_` and `\` stand for themselves. */
function searchPatterns(search: string | null | undefined): string[] {
  if (search == null) return [];
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}

/** The conditions that a record's `search_text` has every word. */
export function searchConditions(search: string | null | undefined): Condition[] {
  return searchPatterns(search).map((value) => ({ sql: "search_text like ?", value }));
}
