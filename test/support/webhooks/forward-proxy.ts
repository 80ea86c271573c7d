import { createServer, type IncomingHttpHeaders } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { after, afterEach, before } from "mocha";
import type { ServerUrl } from "../../../src/platform/server-url.ts";

/** A forward proxy that understands CONNECT only. */
export interface ForwardProxy {
  readonly url: ServerUrl;
  /** The targets asked for, as `address port`. */
  targets: string[];
  headers: IncomingHttpHeaders[];
  /** Answers a CONNECT instead of connecting. Until the end of the test. */
  answer: ((client: Duplex, target: string) => void) | undefined;
  /** Sockets of its clients. */
  clients: Set<Socket>;
}

/** Registers hooks that run a proxy for the tests of this block. It leads every address to this machine. */
export function useForwardProxy(): ForwardProxy {
  const server = createServer();
  const proxy: ForwardProxy = {
    get url() {
      const { port } = server.address() as AddressInfo;
      return { protocol: "http:", host: "127.0.0.1", port, auth: { user: "merchant", pass: "p:ss" } };
    },
    targets: [],
    headers: [],
    answer: undefined,
    clients: new Set(),
  };
  server.on("connection", (socket: Socket) => {
    proxy.clients.add(socket);
    socket.on("error", () => undefined).on("close", () => proxy.clients.delete(socket));
  });
  server.on("connect", ({ url = "", headers }, client: Duplex) => {
    const [, host = "", port] = /^(.+):(\d+)$/.exec(url)!;
    const target = `${host.replace(/^\[(.*)\]$/, "$1")} ${port}`;
    proxy.targets.push(target);
    proxy.headers.push(headers);
    if (proxy.answer) return proxy.answer(client, target);
    const receiver = connect({ host: "127.0.0.1", port: Number(port) });
    const refuse = () => void client.end("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");
    receiver.once("error", refuse).once("connect", () => {
      receiver.off("error", refuse).on("error", () => (client as Socket).resetAndDestroy());
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      client.pipe(receiver).pipe(client);
    });
    client.on("close", () => receiver.destroy());
  });
  before("start a forward proxy", () => new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve)));
  afterEach("forget what was asked of the proxy", () => {
    Object.assign(proxy, { targets: [], headers: [], answer: undefined });
  });
  after("stop the forward proxy", () => {
    server.close();
    for (const client of proxy.clients) client.destroy();
  });
  return proxy;
}
