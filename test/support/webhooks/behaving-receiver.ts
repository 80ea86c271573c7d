import { createServer, type AddressInfo, type Server, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { createServer as createTlsServer, type TLSSocket } from "node:tls";
import { after } from "mocha";
import type { Behavior } from "./behaviors/behavior.ts";
import { createAuthority, type Certified } from "./certificates.ts";

/** The host of TLS receivers. */
export const RECEIVER_HOST = "receiver.example";

export interface BehavingReceivers {
  /** The certificate authority, in PEM, of valid certificates. */
  ca: string;
  /** Runs a receiver during the tests of this block, and resolves with its URL. */
  start: (behavior: Behavior) => Promise<string>;
}

/** Registers a hook that stops the receivers of this block's tests. */
export function useBehavingReceivers(): BehavingReceivers {
  const stops: (() => void)[] = [];
  after("stop the receivers", () => stops.forEach((stop) => stop()));
  const authority = createAuthority();
  const certificates: Record<NonNullable<Behavior["certificate"]>, () => Certified> = {
    valid: () => authority.issue(RECEIVER_HOST),
    "self-signed": () => createAuthority(RECEIVER_HOST),
    "of a stranger": () => createAuthority().issue(RECEIVER_HOST),
    expired: () => authority.issue(RECEIVER_HOST, { expiredDaysAgo: 1 }),
    "of another host": () => authority.issue("other.example"),
  };

  async function start(behavior: Behavior): Promise<string> {
    const sockets = new Set<Duplex>();
    const serve = (socket: Socket | TLSSocket) => {
      sockets.add(socket);
      // Ignores errors, because tests break connections on purpose.
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
      if (behavior.connected) behavior.connected(socket);
      else answerRequests(socket, behavior.requested ?? (() => undefined));
    };
    const server: Server = behavior.certificate
      ? createTlsServer(certificates[behavior.certificate](), serve).on("tlsClientError", () => undefined)
      : createServer(serve);
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    stops.push(() => {
      server.close();
      for (const socket of sockets) socket.destroy();
    });
    const scheme = behavior.scheme ?? (behavior.certificate ? "https" : "http");
    const { port } = server.address() as AddressInfo;
    return `${scheme}://${scheme === "https" ? RECEIVER_HOST : "127.0.0.1"}:${port}/hooks`;
  }

  return { ca: authority.cert, start };
}

/** Calls back for each complete request. */
function answerRequests(socket: Duplex, requested: NonNullable<Behavior["requested"]>): void {
  let unread = Buffer.alloc(0);
  let count = 0;
  socket.on("data", (chunk: Buffer) => {
    unread = Buffer.concat([unread, chunk]);
    const head = unread.indexOf("\r\n\r\n");
    if (head < 0) return;
    const [, length = "0"] = /\r\ncontent-length: (\d+)/i.exec(unread.toString("latin1", 0, head)) ?? [];
    const end = head + 4 + Number(length);
    if (unread.length < end) return;
    unread = unread.subarray(end);
    count += 1;
    requested(socket, count);
  });
}
