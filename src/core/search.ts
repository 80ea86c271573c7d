import { z } from "zod";
import { parseInput, text } from "./input.ts";

export const MAX_SEARCH_LENGTH = 200;

const searchSchema = z.object({ search: text({ max: MAX_SEARCH_LENGTH }) });

// Folded here on both sides rather than by the database, whose idea of case depends on its locale.
export function foldText(value: string): string {
  // Greek has two lower-case sigmas, chosen by what follows: as a part of a word they must be one.
  return value.normalize("NFC").toLowerCase().replaceAll("ς", "σ");
}

/**
 * One LIKE pattern for each word; all must match. `%`, `_` and `\` stand for themselves.
 *
 * @throws AppError VALIDATION_FAILED
 */
export function searchPatterns(search: string | null | undefined): string[] {
  if (search == null) return [];
  parseInput(searchSchema, { search });
  const words = foldText(search).split(/\s+/).filter(Boolean);
  return words.map((word) => `%${word.replace(/[\\%_]/g, "\\$&")}%`);
}
