import { connect, createServer, type AddressInfo, type Socket } from "node:net";
import { after, afterEach, before } from "mocha";

/** A network in front of PostgreSQL that can fail. */
export interface FaultyProxy {
  /** The connection string of a database through the proxy. */
  through: (url: string) => string;
  /** Stops forwarding on the current connections. New ones work. */
  goSilent: () => void;
  /** Stops forwarding, also on new connections, which it accepts. Until `mend`. */
  hang: () => void;
  /** Ends all connections and refuses new ones, until `mend`. */
  cut: () => void;
  mend: () => void;
}

/** Registers hooks that run a proxy for the tests of this block. */
export function useFaultyProxy(target: () => string): FaultyProxy {
  const pairs = new Set<Socket>();
  let isCut = false;
  let isHanging = false;
  const server = createServer((client) => {
    if (isCut) return void client.destroy();
    client.on("error", () => undefined);
    if (isHanging) return void pairs.add(client.pause());
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
  const disconnect = () => {
    for (const socket of pairs) socket.destroy();
  };
  const goSilent = () => {
    for (const socket of pairs) socket.unpipe().pause();
  };
  const mend = () => {
    isCut = false;
    if (isHanging) disconnect();
    isHanging = false;
  };
  before("start a proxy", async () => {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });
  afterEach("end the connections", () => {
    mend();
    disconnect();
  });
  after("stop the proxy", () => void server.close());
  return {
    through: (url) => Object.assign(new URL(url), { hostname: "127.0.0.1", port: String(port) }).href,
    goSilent,
    hang: () => {
      isHanging = true;
      goSilent();
    },
    cut: () => {
      isCut = true;
      disconnect();
    },
    mend,
  };
}
