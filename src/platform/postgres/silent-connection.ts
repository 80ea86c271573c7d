import type { Socket } from "node:net";
import type pg from "pg";

/**
 * Has the kernel ask a peer that sends nothing for five seconds, and give it up after ten more: Node asks ten times, a second
 * apart. This finds idle connections that the network has lost.
 */
export const KEEP_ALIVE = { keepAlive: true, keepAliveInitialDelayMillis: 5_000 };

/** Parts of node-postgres that it has no types for. */
type Inside = { connection: { stream: Socket }; readyForQuery: boolean };
const inside = (client: pg.ClientBase) => client as unknown as Inside;

/**
 * Ends a connection when a statement on it gets no answer for so many milliseconds. Statements have time limits, so the
 * network has lost it, and the kernel would retransmit for a quarter of an hour.
 *
 * @param onEnd gets the error that the statement fails with
 */
export function endWhenSilent(client: pg.ClientBase, milliseconds: number, onEnd?: (error: Error) => void): void {
  const { stream } = inside(client).connection;
  // Each byte that is sent or received begins the time anew.
  stream.setTimeout(milliseconds, () => {
    if (isIdle(client)) return;
    const error = Object.assign(new Error("PostgreSQL does not respond on this connection"), { code: "ETIMEDOUT" });
    stream.destroy(error);
    onEnd?.(error);
  });
}

/** Destroys a connection that waits for no answer. */
export function endIfIdle(client: pg.ClientBase, error: Error): void {
  if (isIdle(client)) inside(client).connection.stream.destroy(error);
}

function isIdle(client: pg.ClientBase): boolean {
  return inside(client).readyForQuery;
}
