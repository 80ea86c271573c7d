import { AppError } from "../core/errors.ts";
import { OperatorError } from "../platform/errors.ts";

/** The message for an operator; the whole error where the fault is ours. */
export function explain(error: unknown): unknown {
  if (!(error instanceof AppError)) return error instanceof OperatorError ? error.message : error;
  const { message, hint, issues = [] } = error;
  const faults = issues.map((issue) => `${issue.path}: ${issue.message}`);
  if (faults.length === 1) return faults[0];
  return [hint === undefined ? message : `${message}. ${hint}`, ...faults].join("\n  ");
}
