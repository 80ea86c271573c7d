import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { withSettings } from "./connection-url.ts";
import { isDatabaseUnavailable, OperatorError } from "../errors.ts";
import { databaseTimeouts } from "./orm.ts";
import { progress } from "../process/progress.ts";

/** The time that a command waits for a database that restarts. Milliseconds. */
const PATIENCE = 10_000;
const RETRY = 500;

export interface Wait {
  /** Aborts the wait. */
  signal?: AbortSignal;
  /** Waits without a limit, for a process that starts together with its database. */
  isEndless?: boolean;
}

/**
 * Waits until PostgreSQL accepts a connection.
 *
 * @throws OperatorError that names host, port, database and user, and never the password: at once when PostgreSQL
 *   itself refuses; after ten seconds when it cannot be reached, unless the wait is endless
 */
export async function reachDatabase(url: string, { signal, isEndless = false }: Wait = {}): Promise<void> {
  const deadline = performance.now() + (isEndless ? Infinity : PATIENCE);
  for (let isFirst = true; ; isFirst = false) {
    const failure = await tryToConnect(url);
    if (!failure) return;
    if (failure.isFinal || performance.now() > deadline) throw new OperatorError(failure.message);
    if (isFirst) {
      progress(
        `${failure.message}. Retrying ${isEndless ? "until it is available" : `for ${PATIENCE / 1_000} seconds`}`,
      );
    }
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
    // When several addresses fail, Node's error has no message.
    const { message, code } = error as NodeJS.ErrnoException;
    const account = user === undefined ? "" : `, as ${user}`;
    return {
      message: `Cannot connect to PostgreSQL at ${host}:${port}, database ${database}${account}: ${message || code}`,
      isFinal: error instanceof pg.DatabaseError && !isDatabaseUnavailable(error),
    };
  } finally {
    await client.end().catch(() => undefined);
  }
}
