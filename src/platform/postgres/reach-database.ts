import { setTimeout as wait } from "node:timers/promises";
import pg from "pg";
import { withSettings } from "./pool.ts";
import { databaseRefusal, isDatabaseUnavailable, OperatorError } from "../errors.ts";
import { databaseTimeouts } from "./orm.ts";
import { progress } from "../terminal.ts";
import { findVersion } from "./session.sql.ts";

/** The seconds that a command waits for a database that restarts. */
const PATIENCE = 10;
/** Milliseconds. */
const RETRY = 500;

/** The oldest supported release of PostgreSQL. */
const OLDEST = 15;

export interface Wait {
  /** Aborts the wait. */
  signal?: AbortSignal | undefined;
  /** The longest wait, in seconds; Infinity for a process that starts together with its database. */
  patience?: number | undefined;
}

/** Checks a database that accepts connections. @throws OperatorError when it cannot be used */
type Check = () => Promise<void>;

/**
 * Waits until PostgreSQL accepts a connection, and checks the database.
 *
 * @throws OperatorError that names host, port, database and user, and never the password: immediately when
 *   PostgreSQL itself refuses or is too old; after `patience`, by default ten seconds, when it cannot be reached
 */
export async function reachDatabase(
  url: string,
  { signal, patience = PATIENCE }: Wait = {},
  check?: Check,
): Promise<void> {
  const deadline = performance.now() + patience * 1_000;
  for (let isFirst = true; ; isFirst = false) {
    const failure = (await tryToConnect(url)) ?? (await tryTo(check));
    if (!failure) return;
    if (failure.isFinal || performance.now() > deadline) throw new OperatorError(failure.message);
    if (isFirst) {
      const time = patience === Infinity ? "until it is available" : `for ${patience} seconds`;
      progress(`${failure.message}. Retrying ${time}`);
    }
    await wait(RETRY, undefined, { signal });
  }
}

interface Failure {
  message: string;
  isFinal: boolean;
}

/** The connection may be lost again. */
async function tryTo(check: Check | undefined): Promise<Failure | undefined> {
  try {
    await check?.();
    return undefined;
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    return { message: `PostgreSQL became unavailable: ${databaseRefusal(error)}`, isFinal: false };
  }
}

async function tryToConnect(url: string): Promise<Failure | undefined> {
  const client = new pg.Client({
    connectionString: withSettings(url),
    connectionTimeoutMillis: databaseTimeouts.connectionTimeoutMillis,
    application_name: "merchant-api start",
  });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ number: number; name: string }>(findVersion);
    const { number, name } = rows[0]!;
    if (number >= OLDEST * 10_000) return undefined;
    return { message: `This version needs PostgreSQL ${OLDEST} or later, and this server is ${name}`, isFinal: true };
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
