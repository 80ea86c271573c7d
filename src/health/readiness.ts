import { setTimeout as wait } from "node:timers/promises";
import type { Kysely } from "kysely";
import { migrations } from "../../migrations/index.ts";
import type { CoreServices } from "../core/context.ts";
import { kysely } from "../core/queries/database.ts";
import { findUnusableKeys, type UnusableKey } from "./find-unusable-keys.sql.ts";
import { isDatabaseUnavailable } from "../platform/errors.ts";
import type { Logger } from "../platform/telemetry/logger.ts";
import { memoizeFor } from "../platform/memoize.ts";
import { describe, error, type Finding } from "./check.ts";
import { listMigrations, namesOf, type MigrationTables } from "../platform/postgres/schema-version.ts";

/** The time for which a result is cached, and the time that a probe waits. Milliseconds. */
const PROBLEMS_CACHED = 1_000;
const PATIENCE = 2_000;

/** A reason why a process is not ready. */
export interface Problem extends Finding {
  part: "database" | "schema" | "encryption keys" | "process";
}

/** The process is shutting down: proxies should send requests elsewhere. */
export const shuttingDown: Problem = { part: "process", ...error("The process is shutting down") };
const databaseAway: Problem = { part: "database", ...error("The database does not respond") };

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
  ping: () => Promise<unknown>,
): () => Promise<Problem[]> {
  const checkKeys = createKeyCheck(() => findUnusableKeys(kysely(orm.em), encryption));
  return async () => {
    try {
      const [states] = await Promise.all([listMigrations(database, migrations), ping()]);
      const missing = namesOf(states, "WAITING").join(", ");
      const lack = error(`The database lacks ${missing}`, "Run: merchant-api migrate");
      if (missing !== "") return [{ part: "schema", ...lack }];
    } catch (reason) {
      if (isDatabaseUnavailable(reason)) return [databaseAway];
      throw reason;
    }
    return (await checkKeys()).map(describeKey);
  };
}

function describeKey({ name, fault }: UnusableKey): Problem {
  const findings = {
    MISSING: `ENCRYPTION_KEYS lacks the key ${name}, which encrypts stored secrets`,
    WRONG: `The key ${name} in ENCRYPTION_KEYS is not the key that encrypted stored secrets`,
  };
  return { part: "encryption keys", ...error(findings[fault], "Put that key back") };
}

/**
 * Creates the readiness check. It answers within two seconds even if the database hangs, runs at most once a second and
 * never twice at a time, and logs each change once.
 */
export function createReadiness(findProblems: () => Promise<Problem[]>, logger: Logger): () => Promise<Problem[]> {
  let logged = "";
  const check = memoizeFor(PROBLEMS_CACHED, () =>
    findProblems().catch(({ message }: Error) => [{ ...databaseAway, finding: message }]),
  );
  return async () => {
    const problems = await Promise.race([check(), wait(PATIENCE, [databaseAway], { ref: false })]);
    const messages = problems.map(describe);
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
    const checked = check().catch((reason: unknown) => {
      if (!isDatabaseUnavailable(reason)) throw reason;
    });
    // The first check decides if the process may start.
    await (last ? Promise.race([checked, wait(KEYS_PATIENCE, undefined, { ref: false })]) : checked);
    return (last ??= []);
  };
}
