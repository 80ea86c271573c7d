import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { after, afterEach, before } from "mocha";

/** A load balancer in front of PostgreSQL that can silently drop connections. */
export interface SilentProxy {
  /** The connection string of a database through the proxy. */
  through: (url: string) => string;
  /** Stops forwarding on the current connections. New ones work. */
  goSilent: () => void;
}

/** Registers hooks that run a proxy for the tests of this block. */
export function useSilentProxy(target: () => string): SilentProxy {
  const pairs = new Set<Socket>();
  const server = createServer((client) => {
    const { hostname, port } = new URL(target());
    const database = connect({ host: hostname, port: Number(port) });
    for (const [one, other] of [
      [client, database],
      [database, client],
    ] as const) {
      pairs.add(one);
      one.pipe(other);
      one.on("error", () => other.destroy());
      one.on("close", () => pairs.delete(one));
    }
  });
  let port = 0;
  before("start a proxy", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach("cut the connections", () => {
    for (const socket of pairs) socket.destroy();
  });
  after("stop the proxy", () => void server.close());
  return {
    through: (url) => Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href,
    goSilent: () => {
      for (const socket of pairs) socket.unpipe().pause();
    },
  };
}
