import { getSystemErrorMessage } from "node:util";
import { stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Option } from "commander";
import { AppError } from "../core/model/errors.ts";
import { databaseRefusal, OperatorError } from "../platform/errors.ts";
import type { Config } from "../config.ts";
import { PostgresProgramError } from "../platform/postgres/embedded-postgres.ts";

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

/** Returns true for an error of the operating system, about a file, an address or a connection. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && "errno" in error && typeof error.errno === "number" && "syscall" in error;
}

/** Verbs for system calls with other names. */
const verbs: Record<string, string> = { mkdir: "make", scandir: "read", getaddrinfo: "resolve" };

/** Describes a system error in one sentence, such as "Cannot open shop.jsonl: file already exists". */
export function describeSystemError(
  error: NodeJS.ErrnoException & { hostname?: string; address?: string; port?: number },
): string {
  const { syscall = "go on", path, hostname, address, port, errno } = error;
  const place = path ?? hostname ?? (port === undefined ? address : `${address}:${port}`);
  const doing = verbs[syscall] ?? syscall;
  return `Cannot ${place === undefined ? doing : `${doing} ${place}`}: ${getSystemErrorMessage(errno!)}`;
}

/** The free space that the embedded PostgreSQL needs: two segments of its log. Bytes. */
const MIN_SPACE = 32 * 1024 ** 2;

/**
 * Replaces an error by a problem of `DATA_DIR` that explains it, if there is one. PostgreSQL fails on a full disk, and
 * does not always report it.
 */
export async function blameDataDir({ database, dataDir }: Config, error: unknown): Promise<unknown> {
  if (database.kind === "server") return error;
  const isOfDatabase = error instanceof PostgresProgramError || databaseRefusal(error) !== undefined;
  const isOfFiles = isSystemError(error) && isAtOrAround(error.path, dataDir);
  if (!(error instanceof Error) || (!isOfDatabase && !isOfFiles)) return error;
  const problem = await findProblem(resolve(dataDir), error).catch(() => undefined);
  if (problem !== undefined) return new OperatorError(`DATA_DIR: ${problem}`);
  return isOfFiles ? new OperatorError(`DATA_DIR: ${describeSystemError(error)}`) : error;
}

/** Returns true for a path in a directory, and for one of its parents, which are made with it. */
function isAtOrAround(path: string | undefined, directory: string): boolean {
  return path !== undefined && (path.startsWith(directory) || directory.startsWith(path));
}

async function findProblem(directory: string, error: Error): Promise<string | undefined> {
  if (!(await stat(directory)).isDirectory()) return `${directory} is not a directory.`;
  const { bavail, bsize } = await statfs(directory);
  const space = bavail * bsize;
  // Incomplete files are deleted by now, and their space is free again.
  if (space >= MIN_SPACE && !/no space left on device/i.test(error.message)) return undefined;
  const left = `${Math.floor(space / 1024 ** 2)} MB are left`;
  return `The disk of ${directory} is full: ${left}, and PostgreSQL needs more. Free some space and start again.`;
}
