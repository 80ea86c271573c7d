import { z } from "zod";
import { isOneLine } from "../../platform/texts.ts";
import type { InputIssue } from "./errors.ts";

export interface TextBounds {
  /** Code points, inclusive. */
  min?: number;
  max: number;
  trim?: boolean;
}

/**
 * Text that PostgreSQL can store and JSON can carry: well-formed Unicode without NUL. Trimmed, required text needs a
 * visible character.
 */
export function text({ min = 0, max, trim = false }: TextBounds) {
  const base = trim ? z.string().trim() : z.string();
  return base
    .superRefine((value, context) => {
      const issue = findTextIssue(value, min, max) ?? (trim && min > 0 ? findInvisible(value) : undefined);
      if (issue) context.addIssue({ code: "custom", message: issue.message, params: { code: issue.code } });
    })
    .meta({ ...(min > 0 && { minLength: min }), maxLength: max });
}

/** Text that reaches mails, headers or logs, such as a name: trimmed and one line. */
export function line({ min = 1, max }: Omit<TextBounds, "trim">) {
  const error = "Must not contain control characters, line breaks or characters that reorder text";
  return text({ min, max, trim: true }).refine(isOneLine, { error, params: { code: "invalid_text" } });
}

/** Checks text without a schema. */
export function checkText(path: string, value: string, { max }: { max: number }): InputIssue[] {
  const issue = findTextIssue(value, 0, max);
  return issue ? [{ path, ...issue }] : [];
}

function findTextIssue(value: string, min: number, max: number): { code: string; message: string } | undefined {
  if (!value.isWellFormed()) return { code: "invalid_text", message: "Must not contain lone surrogates" };
  if (value.includes("\0")) return { code: "invalid_text", message: "Must not contain NUL characters" };
  const length = lengthOf(value, max);
  if (length < min) return { code: "too_small", message: `Must have at least ${min} character${min === 1 ? "" : "s"}` };
  if (length > max) return { code: "too_big", message: `Must have at most ${max} characters` };
  return undefined;
}

/** Refuses text without a visible character, such as U+200B. */
function findInvisible(value: string): { code: string; message: string } | undefined {
  if (/[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u.test(value)) return undefined;
  return { code: "too_small", message: "Must have at least 1 visible character" };
}

/** The number of characters. Approximate for text that is far too long. */
function lengthOf(value: string, max: number): number {
  // A character has at most two code units.
  return value.length > max * 2 ? value.length : [...value].length;
}
