import pg from "pg";
import type { Logger } from "../telemetry/logger.ts";

/** A pool whose connections may break: a broken one is logged, and the next statement is given another. */
export function openPool(options: pg.PoolConfig & { application_name: string }, logger: Logger): pg.Pool {
  const pool = new pg.Pool(options);
  const warn = (error: Error) => logger.warn({ err: error }, `a connection of ${options.application_name} broke`);
  pool.on("error", warn);
  // While a connection is used, and after the pool has forgotten it, the pool does not listen: one that breaks then
  // would end the process.
  pool.on("connect", (client) => client.on("error", warn));
  return pool;
}
