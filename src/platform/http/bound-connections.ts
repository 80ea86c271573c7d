import type { Server } from "node:http";
import type { Socket } from "node:net";
import { networkOf } from "./client.ts";
import { Counts } from "../counts.ts";

export interface ConnectionLimits {
  /** Connections in total. Beyond that, the connection that has been idle or unread for longest is closed. */
  most: number;
  /** Connections of one address. Undefined behind proxies, because all clients then share an address. */
  mostOfAddress: number | undefined;
  /**
   * The time without traffic, in milliseconds, after which a connection closes unless its client waits for an answer.
   * Some connections close after half of it.
   */
  silence: number;
}

/** The state of a connection's requests. */
export interface ConnectionStates {
  /** True while the client waits for an answer to begin. */
  isWorking: (socket: Socket) => boolean;
  /** True while every complete request has been answered. */
  isIdle: (socket: Socket) => boolean;
  /** True while the client has not read everything that was sent. */
  isUnread: (socket: Socket) => boolean;
}

/**
 * Limits the number of connections, and closes those whose client does not read its answer: unread answers stay in
 * memory. It counts connections itself, because `server.maxConnections` ignores those accepted by the helper sockets.
 */
export function boundConnections(
  server: Server,
  { silence, most, mostOfAddress = most }: ConnectionLimits,
  { isWorking, isIdle, isUnread }: ConnectionStates,
): void {
  // Node allows an unread answer twice this time if part of it was read after it was written.
  server.timeout = silence / 2;
  // Node emits the same event when the keep-alive time of an idle connection ends.
  server.on("timeout", (socket) => {
    if (!isWorking(socket)) socket.destroy();
  });
  /** Ordered by their last answer, oldest first. */
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
