import type { Option } from "commander";
import { AppError } from "../core/model/errors.ts";
import { databaseRefusal, OperatorError } from "../platform/errors.ts";
import { isSystemError, describeSystemError } from "../platform/system-error.ts";

/** PostgreSQL's codes for a missing table and a missing column. */
const SCHEMA_CODES = new Set<unknown>(["42P01", "42703"]);

/** Options that have other names than the operation's fields. */
const aliases: Record<string, readonly string[]> = { trialEndsAt: ["trialEnds", "until"], scopes: ["scope"] };

/**
 * The error's message for an operator, with the command's options instead of the operation's fields. Faults of the
 * program are returned as whole errors.
 */
export function explain(error: unknown, options: readonly Option[] = []): unknown {
  if (error instanceof OperatorError) return error.message;
  if (error instanceof AppError) return explainRefusal(error, options);
  if (error instanceof Error && "code" in error && SCHEMA_CODES.has(error.code)) {
    return "The database does not have the schema of this version. See: merchant-api migrate --status";
  }
  if (isSystemError(error)) return describeSystemError(error);
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
