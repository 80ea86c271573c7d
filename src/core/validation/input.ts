import { z } from "zod";
import { invalidInput, MAX_MISTAKES, type InputIssue } from "../model/errors.ts";

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

/** Checks text without a schema. */
export function checkText(path: string, value: string, { min = 0, max }: TextBounds): InputIssue[] {
  const issue = findTextIssue(value, min, max);
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

/** @throws AppError VALIDATION_FAILED with the mistakes */
export function parseInput<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return parsed.data;
  // Some mistakes are found twice.
  const issues = parsed.error.issues.slice(0, MAX_MISTAKES * 2).flatMap((issue) => describeIssue(issue));
  throw invalidInput(withoutRepeats(issues));
}

/**
 * Removes repeated issues: two rules of a schema can find the same mistake, such as the built-in limit of an integer.
 */
function withoutRepeats(issues: InputIssue[]): InputIssue[] {
  return [...new Map(issues.toReversed().map((issue) => [`${issue.path} ${issue.code}`, issue])).values()].toReversed();
}

function describeIssue(issue: z.core.$ZodIssue): InputIssue[] {
  const path = issue.path.map(String).join(".");
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.slice(0, MAX_MISTAKES).map((key) => ({
        path: [...issue.path.map(String), key].join("."),
        code: "unknown_field",
        message: "Is not recognized",
      }));
    case "invalid_type":
      return issue.input === undefined
        ? [{ path, code: "required", message: "Is required" }]
        : [{ path, code: "invalid_type", message: `Must be ${article(issue.expected)}` }];
    case "too_small":
      return [{ path, code: "too_small", message: describeBound(issue.origin, "at least", issue.minimum) }];
    case "too_big":
      return [{ path, code: "too_big", message: describeBound(issue.origin, "at most", issue.maximum) }];
    case "invalid_value":
      return [{ path, code: "invalid_value", message: `Must be one of ${issue.values.join(", ")}` }];
    case "custom":
      return [{ path, code: String(issue.params?.code ?? "invalid_value"), message: issue.message }];
    default:
      return [{ path, code: "invalid_value", message: issue.message }];
  }
}

const units: Record<string, string> = { array: "item", string: "character" };

/** "Must be at most 5" for a number, "Must have at most 5 items" for an array. */
function describeBound(origin: string, bound: string, limit: number | bigint): string {
  const unit = units[origin];
  if (unit === undefined) return `Must be ${bound} ${limit}`;
  return `Must have ${bound} ${limit} ${unit}${Number(limit) === 1 ? "" : "s"}`;
}

const kinds: Record<string, string> = { int: "an integer", array: "an array", object: "a JSON object" };

function article(expected: string): string {
  return kinds[expected] ?? `a ${expected}`;
}
