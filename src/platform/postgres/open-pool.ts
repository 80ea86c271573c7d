import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";
import { endIfIdle, endWhenSilent, KEEP_ALIVE } from "./silent-connection.ts";

/** The time beyond the statement time-out after which a silent connection counts as lost. Milliseconds. */
export const SILENCE = 5_000;

/**
 * Opens a pool that replaces connections that break or go silent. When one goes silent, idle ones are closed too: the
 * network has most likely lost them together, and each would delay a statement until it was detected.
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
  const clients = new Set<pg.PoolClient>();
  const longest = Number(options.statement_timeout);
  pool.on("error", warn);
  // The pool does not listen for errors while a connection is in use or after it is removed, and an unhandled error
  // would end the process.
  pool.on("connect", (client) => {
    client.on("error", warn);
    if (!longest) return;
    clients.add(client);
    endWhenSilent(client, longest + silence(), (error) => {
      for (const other of clients) endIfIdle(other, error);
    });
  });
  pool.on("remove", (client) => clients.delete(client));
  return pool;
}
