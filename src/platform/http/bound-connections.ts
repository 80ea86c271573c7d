import type { Server } from "node:http";
import type { Socket } from "node:net";

export interface ConnectionLimits {
  /** The most connections in all. */
  most: number;
  /** The most of one address; undefined behind proxies, whose address is that of everybody. */
  mostOfAddress: number | undefined;
  /** The time for which nothing may move on a connection that is not waiting for us, in milliseconds. */
  silence: number;
}

/**
 * Closes connections beyond a number, and those whose client does not read its answer: each holds the answer in memory.
 *
 * @param isWorking tells whether the client of a connection waits for us to begin an answer
 */
export function boundConnections(
  server: Server,
  limits: ConnectionLimits,
  isWorking: (socket: Socket) => boolean,
): void {
  server.maxConnections = limits.most;
  server.timeout = limits.silence;
  // Also for connections that are kept alive, whose time Node counts in the same way.
  server.on("timeout", (socket) => {
    if (!isWorking(socket)) socket.destroy();
  });
  const { mostOfAddress } = limits;
  if (mostOfAddress !== undefined) boundAddresses(server, mostOfAddress);
}

function boundAddresses(server: Server, most: number): void {
  const counts = new Map<string, number>();
  server.on("connection", (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined) return;
    const count = counts.get(address) ?? 0;
    if (count >= most) return socket.destroy();
    counts.set(address, count + 1);
    socket.once("close", () => {
      const left = counts.get(address)! - 1;
      if (left > 0) counts.set(address, left);
      else counts.delete(address);
    });
  });
}
