import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./address.ts";
import { Counts } from "../counts.ts";

export interface ConnectionLimits {
  /** The most connections in all. With one more, that is closed which has been idle or unread for longest. */
  most: number;
  /** The most of one address; undefined behind proxies, whose address is that of everybody. */
  mostOfAddress: number | undefined;
  /**
   * The longest that nothing may move on a connection that is not waiting for us, in milliseconds. Some are closed after
   * half of it.
   */
  silence: number;
}

/** Tells of a connection's requests. */
export interface ConnectionStates {
  /** True while its client waits for us to begin an answer. */
  isWorking: (socket: Socket) => boolean;
  /** True while each request that has come whole is answered. */
  isIdle: (socket: Socket) => boolean;
  /** True while its client has not read all that we sent. */
  isUnread: (socket: Socket) => boolean;
}

/**
 * Closes connections beyond a number, and those whose client does not read its answer: each holds the answer in memory.
 */
export function boundConnections(
  server: Server,
  limits: ConnectionLimits,
  { isWorking, ...states }: ConnectionStates,
): void {
  // Node gives an unread answer this time twice if some of it was taken after it was written.
  server.timeout = limits.silence / 2;
  // Node tells of kept-alive connections whose time is over in the same way.
  server.on("timeout", (socket) => {
    if (!isWorking(socket)) socket.destroy();
  });
  boundNumber(server, limits, states);
}

/** `server.maxConnections` would not count those that another socket accepted for the server. */
function boundNumber(
  server: Server,
  { most, mostOfAddress = most }: ConnectionLimits,
  { isIdle, isUnread }: Omit<ConnectionStates, "isWorking">,
): void {
  /** In the order of their last answers, the oldest first. */
  const sockets = new Set<Socket>();
  const counts = new Counts();
  server.on("connection", (socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined) return;
    const address = networkOf(remoteAddress);
    if (counts.of(address) >= mostOfAddress) return socket.destroy();
    if (sockets.size >= most) {
      const closed = sockets.values().find(isIdle) ?? sockets.values().find(isUnread);
      if (!closed) return socket.destroy();
      sockets.delete(closed.destroy());
    }
    sockets.add(socket);
    counts.add(address, 1);
    socket.once("close", () => {
      sockets.delete(socket);
      counts.add(address, -1);
    });
  });
  server.on("request", ({ socket }, response) => {
    response.once("close", () => {
      if (sockets.delete(socket) && !socket.destroyed) sockets.add(socket);
    });
  });
}
