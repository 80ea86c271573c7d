import { invalidInput, type InputIssue } from "../../model/errors.ts";
import { MAX_LIMIT, MAX_PAGE, type PageRequest } from "../../model/page.ts";
import { checkText } from "../../validation/input.ts";
import { checkSearch, MAX_SEARCH_LENGTH } from "./search.ts";

/** Text filters of a list, by argument. */
export type TextFilters = Record<string, string | null | undefined>;

const MAX_TEXT_LENGTH = 255;

/**
 * Lists everything that is wrong with the arguments of a list. Values are never clamped.
 *
 * @throws AppError VALIDATION_FAILED
 */
export function checkPage({ page, after, limit }: PageRequest, texts: TextFilters = {}): void {
  const issues = [...checkCount("page", page ?? 1, MAX_PAGE), ...checkCount("limit", limit, MAX_LIMIT)];
  for (const [path, value] of Object.entries(texts)) {
    const max = path === "search" ? MAX_SEARCH_LENGTH : MAX_TEXT_LENGTH;
    if (value == null) continue;
    issues.push(...checkText(path, value, { max }));
    if (path === "search") issues.push(...checkSearch(path, value));
  }
  if (page != null && after != null) {
    issues.push({ path: "after", code: "invalid_value", message: "Cannot be combined with page" });
  }
  if (issues.length > 0) throw invalidInput(issues);
}

/** Checks that a number is between 1 and `most`. */
export function checkCount(path: string, value: number, most: number): InputIssue[] {
  if (value < 1) return [{ path, code: "too_small", message: "Must be at least 1" }];
  if (value > most) return [{ path, code: "too_big", message: `Must be at most ${most}` }];
  return [];
}
