import type { Option } from "commander";
import { AppError } from "../core/model/errors.ts";
import { databaseRefusal, OperatorError } from "../platform/errors.ts";
import { isSystemError, sayRefusal } from "../platform/system-error.ts";

/** The codes of PostgreSQL for a table and a column that are not there. */
const SCHEMA_CODES = new Set<unknown>(["42P01", "42703"]);

/** Options that are not called as the fields of the operation are. */
const aliases: Record<string, readonly string[]> = { trialEndsAt: ["trialEnds", "until"], scopes: ["scope"] };

/**
 * The message for an operator, which names the command's options and not the operation's fields; the whole error where
 * the fault is ours.
 */
export function explain(error: unknown, options: readonly Option[] = []): unknown {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof AppError) return explainRefusal(error, options);
  if (error instanceof Error && "code" in error && SCHEMA_CODES.has(error.code)) {
    return "The database does not have the schema of this version. See: merchant-api migrate --status";
  }
  if (isSystemError(error)) return sayRefusal(error);
  const refusal = databaseRefusal(error);
  return refusal === undefined ? error : `PostgreSQL error: ${refusal}`;
}

function explainRefusal({ message, hint, issues = [] }: AppError, options: readonly Option[]): string {
  const faults = issues.map(({ path, message: fault }) => `${optionFor(path, options)}: ${fault}`);
  if (faults.length === 1) return faults[0]!;
  return [hint === undefined ? message : `${message}. ${hint}`, ...faults].join("\n  ");
}

function optionFor(path: string, options: readonly Option[]): string {
  const [field = path] = path.split(".");
  const names = new Set([field, ...(aliases[field] ?? [])]);
  return options.find((option) => names.has(option.attributeName()))?.long ?? path;
}
