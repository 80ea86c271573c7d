import type { z } from "zod";
import { invalidInput, MAX_MISTAKES, type InputIssue } from "../model/errors.ts";

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
