import { setTimeout as wait } from "node:timers/promises";
import { migrations } from "../../migrations/index.ts";
import type { CoreServices } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { findUnusableKeys, type UnusableKey } from "../core/secrets/find-unusable-keys.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import { memoizeFor } from "../platform/memoize.ts";
import { findMissingMigrations } from "../platform/postgres/schema-version.ts";

/** Milliseconds. */
const PROBLEMS_KEPT = 1_000;
const KEYS_KEPT = 10_000;
const PATIENCE = 2_000;

/** One thing that keeps a process from its work. */
export interface Problem {
  part: "database" | "schema" | "encryption keys" | "process";
  /** The message for operators, which names migrations and keys. */
  message: string;
}

/** The one that is planned: proxies are to send requests elsewhere. */
export const shuttingDown: Problem = { part: "process", message: "The process is shutting down" };
const databaseAway: Problem = { part: "database", message: "The database does not respond" };

/**
 * Finds what keeps this process from its work. The keys are looked at every ten seconds, for that reads every endpoint and second factor.
 *
 * @param ping settles when other connections of this process answer
 * @throws what is neither a problem of the operator's nor the database's being away
 */
export function createProblemFinder(
  { orm, encryption }: CoreServices,
  ping: () => Promise<unknown> = async () => undefined,
): () => Promise<Problem[]> {
  const findKeyProblems = memoizeFor(KEYS_KEPT, async () =>
    (await findUnusableKeys(kysely(orm.em), encryption)).map(describeKey),
  );
  const names = migrations.map(({ name }) => name);
  return async () => {
    try {
      const [missing] = await Promise.all([findMissingMigrations(orm, names), ping()]);
      return missing.length > 0 ? [describeSchema(missing)] : await findKeyProblems();
    } catch (error) {
      if (isDatabaseUnavailable(error)) return [databaseAway];
      throw error;
    }
  };
}

function describeSchema(missing: string[]): Problem {
  const message = `The database lacks ${missing.join(", ")}. Run: merchant-api migrate`;
  return { part: "schema", message };
}

function describeKey({ name, fault }: UnusableKey): Problem {
  const message = {
    MISSING: `ENCRYPTION_KEYS lacks the key ${name}, which encrypts stored secrets`,
    WRONG: `The key ${name} in ENCRYPTION_KEYS is not the key that encrypted stored secrets`,
  };
  return { part: "encryption keys", message: message[fault] };
}

/**
 * Answers probes, in two seconds though the database hangs. It looks once a second at most, and never twice at once. A
 * change is logged once, however often is asked.
 */
export function createReadiness(findProblems: () => Promise<Problem[]>, logger: Logger): () => Promise<Problem[]> {
  let logged = "";
  const look = memoizeFor(PROBLEMS_KEPT, () =>
    findProblems().catch((error: Error) => [{ ...databaseAway, message: error.message }]),
  );
  return async () => {
    const problems = await Promise.race([look(), wait(PATIENCE, [databaseAway], { ref: false })]);
    const messages = problems.map(({ message }) => message);
    if (String(messages) === logged) return problems;
    if (messages.length > 0) logger.error({ problems: messages }, "not ready");
    else logger.info("ready again");
    logged = String(messages);
    return problems;
  };
}
