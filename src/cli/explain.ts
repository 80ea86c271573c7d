import { AppError } from "../core/errors.ts";
import { OperatorError } from "../platform/errors.ts";

/** The message for an operator; the whole error where the fault is ours. */
export function explain(error: unknown): unknown {
  if (error instanceof AppError) {
    return [error.message, ...(error.issues ?? []).map((issue) => `  ${issue.path}: ${issue.message}`)].join("\n");
  }
  return error instanceof OperatorError ? error.message : error;
}
