import { stat, statfs } from "node:fs/promises";
import { resolve } from "node:path";
import type { Config } from "../config.ts";
import { databaseRefusal, OperatorError } from "../platform/errors.ts";
import { PostgresProgramError } from "../platform/postgres/embedded-postgres.ts";
import { isSystemError, describeSystemError } from "../platform/system-error.ts";

/** The free space that the embedded PostgreSQL needs: two segments of its log. Bytes. */
const LEAST_SPACE = 32 * 1024 ** 2;

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
  if (space >= LEAST_SPACE && !/no space left on device/i.test(error.message)) return undefined;
  const left = `${Math.floor(space / 1024 ** 2)} MB are left`;
  return `The disk of ${directory} is full: ${left}, and PostgreSQL needs more. Free some space and start again.`;
}
