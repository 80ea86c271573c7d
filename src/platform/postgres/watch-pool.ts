import type pg from "pg";
import type { Metrics } from "../telemetry/metrics.ts";

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
