import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { migrations } from "../../migrations/index.ts";
import type { CoreServices } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { findUnusableKeys, type UnusableKey } from "../core/secrets/find-unusable-keys.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import { memoizeFor } from "../platform/memoize.ts";
import {
  describeDifference,
  listMigrations,
  namesOf,
  type MigrationState,
  type MigrationTables,
} from "../platform/postgres/schema-version.ts";

/** The time for which a result is cached, and the time that a probe waits. Milliseconds. */
const PROBLEMS_CACHED = 1_000;
const PATIENCE = 2_000;

/** A reason why a process is not ready. */
export interface Problem {
  part: "database" | "schema" | "encryption keys" | "process";
  /** The message for operators, which names migrations and keys. */
  message: string;
}

/** The process is shutting down: proxies should send requests elsewhere. */
export const shuttingDown: Problem = { part: "process", message: "The process is shutting down" };
const databaseAway: Problem = { part: "database", message: "The database does not respond" };

/**
 * Finds reasons why this process is not ready. The pools of requests and tasks are not asked, because a busy process is
 * ready, and so is one whose statements wait for a node of a cluster.
 *
 * @param database on a separate connection, which only waits for the coordinator
 * @param ping settles when other connections of this process answer
 * @throws errors other than an operator's problem or an unavailable database
 */
export function createProblemFinder(
  { orm, encryption }: CoreServices,
  database: Kysely<MigrationTables>,
  ping: () => Promise<unknown> = async () => undefined,
): () => Promise<Problem[]> {
  const checkKeys = createKeyCheck(() => findUnusableKeys(kysely(orm.em), encryption));
  return async () => {
    try {
      const [states] = await Promise.all([listMigrations(database, migrations), ping()]);
      const message = describeDifference(states) ?? describeMissing(states);
      if (message !== undefined) return [{ part: "schema", message }];
    } catch (error) {
      if (isDatabaseUnavailable(error)) return [databaseAway];
      throw error;
    }
    return (await checkKeys()).map(describeKey);
  };
}

function describeMissing(states: MigrationState[]): string | undefined {
  const missing = namesOf(states, "WAITING");
  return missing.length === 0 ? undefined : `The database lacks ${missing.join(", ")}. Run: merchant-api migrate`;
}

function describeKey({ name, fault }: UnusableKey): Problem {
  const message = {
    MISSING: `ENCRYPTION_KEYS lacks the key ${name}, which encrypts stored secrets`,
    WRONG: `The key ${name} in ENCRYPTION_KEYS is not the key that encrypted stored secrets`,
  };
  return { part: "encryption keys", message: message[fault] };
}

/**
 * Creates the readiness check. It answers within two seconds even if the database hangs, runs at most once a second and
 * never twice at a time, and logs each change once.
 */
export function createReadiness(findProblems: () => Promise<Problem[]>, logger: Logger): () => Promise<Problem[]> {
  let logged = "";
  const check = memoizeFor(PROBLEMS_CACHED, () =>
    findProblems().catch((error: Error) => [{ ...databaseAway, message: error.message }]),
  );
  return async () => {
    const problems = await Promise.race([check(), wait(PATIENCE, [databaseAway], { ref: false })]);
    const messages = problems.map(({ message }) => message);
    if (String(messages) === logged) return problems;
    if (messages.length > 0) logger.error({ problems: messages }, "not ready");
    else logger.info("ready again");
    logged = String(messages);
    return problems;
  };
}

/** The time for which a check of the keys is cached, and the time that a later one may delay a probe. Milliseconds. */
const KEYS_CACHED = 10_000;
const KEYS_PATIENCE = 1_000;

/**
 * Checks the encryption keys every ten seconds, because each check reads every endpoint and second factor.
 *
 * On a cluster, the check reads all nodes. A node that is down or does not answer stops the shops on it, and no others,
 * so the last result counts until the node is back.
 *
 * @throws errors other than an unavailable database
 */
export function createKeyCheck(find: () => Promise<UnusableKey[]>): () => Promise<UnusableKey[]> {
  let last: UnusableKey[] | undefined;
  const check = memoizeFor(KEYS_CACHED, async () => {
    last = await find();
  });
  return async () => {
    const checked = check().catch((error: unknown) => {
      if (!isDatabaseUnavailable(error)) throw error;
    });
    // The first check decides if the process may start.
    await (last ? Promise.race([checked, wait(KEYS_PATIENCE, undefined, { ref: false })]) : checked);
    return (last ??= []);
  };
}
