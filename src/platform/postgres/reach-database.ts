import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { withSettings } from "./connection-url.ts";
import { isDatabaseUnavailable, OperatorError } from "../errors.ts";
import { databaseTimeouts } from "./orm.ts";
import { progress } from "../progress.ts";

/** The patience with a database that is being started or restarted. Milliseconds. */
const PATIENCE = 10_000;
const RETRY = 500;

/**
 * Settles when PostgreSQL takes a connection.
 *
 * @throws OperatorError that names host, port, database and user, and never the password: at once when PostgreSQL
 * itself refuses, after ten seconds when it cannot be reached
 */
export async function reachDatabase(url: string, signal?: AbortSignal): Promise<void> {
  const deadline = performance.now() + PATIENCE;
  for (let isFirst = true; ; isFirst = false) {
    const failure = await tryToConnect(url);
    if (!failure) return;
    if (failure.isFinal || performance.now() > deadline) throw new OperatorError(failure.message);
    if (isFirst) progress(`${failure.message}. Trying again for ${PATIENCE / 1_000} seconds`);
    await wait(RETRY, undefined, { signal });
  }
}

async function tryToConnect(url: string): Promise<{ message: string; isFinal: boolean } | undefined> {
  const client = new pg.Client({
    connectionString: withSettings(url),
    connectionTimeoutMillis: databaseTimeouts.connectionTimeoutMillis,
    application_name: "merchant-api start",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    const { host, port, database, user } = client;
    // Of several addresses that were tried in vain, Node tells no message.
    const { message, code } = error as NodeJS.ErrnoException;
    return {
      message: `Cannot connect to PostgreSQL at ${host}:${port}, database ${database}, as ${user}: ${message || code}`,
      isFinal: error instanceof pg.DatabaseError && !isDatabaseUnavailable(error),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
