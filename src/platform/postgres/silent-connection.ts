import type { Socket } from "node:net";
import type pg from "pg";

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
  // Each byte sent or received restarts the timer.
  stream.setTimeout(milliseconds, () => {
    if (isIdle(client)) return;
    const error = Object.assign(new Error("PostgreSQL does not respond on this connection"), { code: "ETIMEDOUT" });
    stream.destroy(error);
    onEnd?.(error);
  });
}

/** Destroys a connection that is idle. */
export function endIfIdle(client: pg.ClientBase, error: Error): void {
  if (isIdle(client)) inside(client).connection.stream.destroy(error);
}

function isIdle(client: pg.ClientBase): boolean {
  return inside(client).readyForQuery;
}
