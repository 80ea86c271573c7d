import type { Socket } from "node:net";
import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";
import type { Metrics } from "../telemetry/metrics.ts";

/** The time beyond the statement time-out after which a silent connection counts as lost. Milliseconds. */
export const SILENCE = 5_000;

/** The address and application name of each connection with a statement time-out. */
const clients = new Map<pg.PoolClient, string>();

/**
 * Opens a pool that replaces connections that break or go silent. When one goes silent, idle ones of this application
 * name are closed too, in every pool: the network has most likely lost them together, and each would delay a statement
 * until it was detected.
 *
 * @param silence asked for each new connection
 */
export function openPool(
  options: pg.PoolConfig & { application_name: string },
  logger: Logger,
  silence: () => number = () => SILENCE,
): pg.Pool {
  const pool = new pg.Pool({ ...KEEP_ALIVE, ...options });
  const warn = ({ message }: Error) =>
    logger.warn({ reason: message }, `a connection of ${options.application_name} broke`);
  const longest = Number(options.statement_timeout);
  const name = `${options.application_name} ${options.connectionString}`;
  pool.on("error", warn);
  // The pool does not listen for errors while a connection is in use or after it is removed, and an unhandled error
  // would end the process.
  pool.on("connect", (client) => {
    client.on("error", warn);
    if (!longest) return;
    clients.set(client, name);
    endWhenSilent(client, longest + silence(), (error) => {
      for (const [other, itsName] of clients) if (itsName === name) endIfIdle(other, error);
    });
  });
  pool.on("remove", (client) => clients.delete(client));
  return pool;
}

/**
 * Makes clients whose time-out covers opening a connection alone. A pool's time-out also covers the wait for a free one,
 * as if a busy pool were an unreachable database.
 */
export function clientOpenedWithin(connectionTimeoutMillis: number): typeof pg.Client {
  return class extends pg.Client {
    constructor(options?: pg.ClientConfig) {
      super({ ...options, connectionTimeoutMillis });
    }
  };
}

/**
 * Detects idle connections that the network has lost: after five silent seconds, the kernel sends a probe each second
 * and gives up after ten.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/** Parts of node-postgres without types. */
type Inside = { connection: { stream: Socket }; readyForQuery: boolean };
const inside = (client: pg.ClientBase) => client as unknown as Inside;

/**
 * Ends a connection when a statement gets no answer for this number of milliseconds. Statements have time-outs, so the
 * network has lost the connection, and the kernel would retransmit for a quarter of an hour.
 *
 * @param onEnd gets the error that the statement fails with
 */
export function endWhenSilent(client: pg.ClientBase, milliseconds: number, onEnd?: (error: Error) => void): void {
  const { stream } = inside(client).connection;
  // Each byte sent or received restarts the timer, unless it has fired.
  stream.setTimeout(milliseconds);
  stream.on("timeout", () => {
    if (isIdle(client)) return void stream.setTimeout(milliseconds);
    const error = Object.assign(new Error("PostgreSQL does not respond on this connection"), { code: "ETIMEDOUT" });
    stream.destroy(error);
    onEnd?.(error);
  });
}

/** Destroys a connection that is idle. */
function endIfIdle(client: pg.ClientBase, error: Error): void {
  if (isIdle(client)) inside(client).connection.stream.destroy(error);
}

function isIdle(client: pg.ClientBase): boolean {
  return inside(client).readyForQuery;
}

/** Exposes metrics of a connection pool. */
export function watchPool(metrics: Metrics, name: string, pool: pg.Pool): void {
  const connections = "Open connections to PostgreSQL.";
  const busy = () => pool.totalCount - pool.idleCount;
  metrics.gauge("database_connections", connections, busy, { pool: name, state: "busy" });
  metrics.gauge("database_connections", connections, () => pool.idleCount, { pool: name, state: "idle" });
  const limit = "Maximum connections to PostgreSQL.";
  metrics.gauge("database_connections_limit", limit, () => pool.options.max, { pool: name });
  const waiting = "Statements and transactions that wait for a connection.";
  metrics.gauge("database_connections_waiting", waiting, () => pool.waitingCount, { pool: name });
}

/**
 * Adds run-time settings to a connection string.
 *
 * Turns JIT compilation off for all connections: every statement is short, and compiling one that the planner considers
 * expensive takes 300 ms. PostgreSQL packages enable it by default.
 */
export function withSettings(url: string, settings: Record<string, string> = {}): string {
  const result = new URL(url);
  const flags = Object.entries({ jit: "off", ...settings }).map(([name, value]) => `-c ${name}=${value}`);
  result.searchParams.set("options", [result.searchParams.get("options") ?? "", ...flags].join(" ").trim());
  return result.href;
}
