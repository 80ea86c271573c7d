import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";
import { endIfIdle, endWhenSilent, KEEP_ALIVE } from "./silent-connection.ts";

/** The time beyond the longest statement after which a connection that answers nothing counts as lost. Milliseconds. */
const SILENCE = 5_000;

/**
 * A pool that replaces connections that break or go silent. A silent one ends with all that are idle beside it: the network
 * has most likely lost them together, and each would keep a statement waiting until it was noticed by itself.
 */
export function openPool(options: pg.PoolConfig & { application_name: string }, logger: Logger): pg.Pool {
  const pool = new pg.Pool({ ...KEEP_ALIVE, ...options });
  const warn = (error: Error) => logger.warn({ err: error }, `a connection of ${options.application_name} broke`);
  const clients = new Set<pg.PoolClient>();
  const longest = Number(options.statement_timeout);
  pool.on("error", warn);
  // While a connection is used, and after the pool has forgotten it, the pool does not listen: one that breaks then
  // would end the process.
  pool.on("connect", (client) => {
    client.on("error", warn);
    if (!longest) return;
    clients.add(client);
    endWhenSilent(client, longest + SILENCE, (error) => {
      for (const other of clients) endIfIdle(other, error);
    });
  });
  pool.on("remove", (client) => clients.delete(client));
  return pool;
}
