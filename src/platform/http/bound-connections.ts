import type { Server } from "node:http";
import type { Socket } from "node:net";
import { Tally } from "../fairness/tally.ts";

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
  // Node tells of kept-alive connections whose time is over in the same way.
  server.on("timeout", (socket) => {
    if (!isWorking(socket)) socket.destroy();
  });
  const { mostOfAddress } = limits;
  if (mostOfAddress !== undefined) boundAddresses(server, mostOfAddress);
}

function boundAddresses(server: Server, most: number): void {
  const counts = new Tally<string>();
  server.on("connection", (socket) => {
    const { remoteAddress: address } = socket;
    if (address === undefined) return;
    if (counts.of(address) >= most) return socket.destroy();
    counts.add(address, 1);
    socket.once("close", () => counts.add(address, -1));
  });
}
