import { AppError } from "../core/errors.ts";
import { databaseRefusal, OperatorError } from "../platform/errors.ts";
import { isSystemError, sayRefusal } from "../platform/system-error.ts";

/** The codes of PostgreSQL for a table and a column that are not there. */
const SCHEMA_CODES = new Set<unknown>(["42P01", "42703"]);

/** The message for an operator; the whole error where the fault is ours. */
export function explain(error: unknown): unknown {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof AppError) return explainRefusal(error);
  if (error instanceof Error && "code" in error && SCHEMA_CODES.has(error.code)) {
    return "The database lacks a table or a column that this version needs. See: merchant-api migrate --status";
  }
  if (isSystemError(error)) return sayRefusal(error);
  const refusal = databaseRefusal(error);
  return refusal === undefined ? error : `PostgreSQL refused: ${refusal}`;
}

function explainRefusal({ message, hint, issues = [] }: AppError): string {
  const faults = issues.map((issue) => `${issue.path}: ${issue.message}`);
  if (faults.length === 1) return faults[0]!;
  return [hint === undefined ? message : `${message}. ${hint}`, ...faults].join("\n  ");
}
