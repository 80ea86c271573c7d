import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./address.ts";
import { Tally } from "../fairness/tally.ts";

export interface ConnectionLimits {
  /** The most connections in all. */
  most: number;
  /** The most of one address; undefined behind proxies, whose address is that of everybody. */
  mostOfAddress: number | undefined;
  /**
   * The longest that nothing may move on a connection that is not waiting for us, in milliseconds. Some are closed after
   * half of it.
   */
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
  // Node gives an unread answer this time twice if some of it was taken after it was written.
  server.timeout = limits.silence / 2;
  // Node tells of kept-alive connections whose time is over in the same way.
  server.on("timeout", (socket) => {
    if (!isWorking(socket)) socket.destroy();
  });
  boundNumber(server, limits);
}

/** `server.maxConnections` would not count those that another socket accepted for the server. */
function boundNumber(server: Server, { most, mostOfAddress = most }: ConnectionLimits): void {
  let total = 0;
  const counts = new Tally<string>();
  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = networkOf(remoteAddress);
    if (total >= most || counts.of(address) >= mostOfAddress) return socket.destroy();
    total += 1;
    counts.add(address, 1);
    socket.once("close", () => {
      total -= 1;
      counts.add(address, -1);
    });
  });
}
