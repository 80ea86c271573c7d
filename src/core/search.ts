import { invalidInput } from "../platform/errors.ts";

export const MAX_SEARCH_LENGTH = 200;

// Folded here on both sides rather than by the database, whose idea of case depends on its locale.
export function foldText(text: string): string {
  // Greek has two lower-case sigmas, chosen by what follows: as a part of a word they must be one.
  return text.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/** One LIKE pattern for each word; all must match. `%`, `_` and `\` stand for themselves. */
export function searchPatterns(search: string | null | undefined): string[] {
  if (search == null) return [];
  if ([...search].length > MAX_SEARCH_LENGTH) {
    const message = `Must be at most ${MAX_SEARCH_LENGTH} characters`;
    throw invalidInput([{ path: "search", code: "too_big", message }]);
  }
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}
