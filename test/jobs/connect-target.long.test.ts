import { connect, Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { checkTargetUrl } from "../../src/core/webhooks/endpoints/target-url.ts";
import { ErrorClass } from "../../src/core/model/webhooks/error-class.ts";
import { createTargetConnector, type ConnectOptions } from "../../src/jobs/transport/connect-target.ts";
import { createTransport } from "../../src/jobs/transport/create-transport.ts";
import { ConnectFailure, OwnFault } from "../../src/jobs/transport/failures.ts";
import { privateAddresses, publicAddresses } from "../support/webhooks/addresses.ts";
import { useForwardProxy, type ForwardProxy } from "../support/webhooks/forward-proxy.ts";
import { acceptedUrls, literal, refusedUrls } from "../support/webhooks/target-urls.ts";

const NAME = "receiver.example";
/** Ends after what is given up after three seconds and began with it, however slow the machine: timers end in order. */
const LONGER = 3_500;

/**
 * A network in which nothing is ever sent: the answers to look-ups are given, and each connection is a fake, or ends at
 * the proxy.
 */
function createNetwork(options: {
  answers?: Record<string, string[]>[];
  allowLoopback?: boolean;
  proxy?: ForwardProxy | undefined;
  /** The address that a connection really ends at; null for none. */
  leadsTo?: (address: string) => string | null | undefined;
}) {
  const { answers = [], leadsTo = (address) => address, proxy } = options;
  const network = { looks: [] as string[], connections: [] as string[], sockets: [] as Socket[] };
  const connectOptions: ConnectOptions = {
    allowLoopback: options.allowLoopback ?? false,
    lookup: async (name) => {
      network.looks.push(name);
      return (answers.length > 1 ? answers.shift()! : answers[0])?.[name] ?? [];
    },
    connectSocket: ({ host, port }) => {
      const socket = proxy ? connect({ host, port }) : new Socket();
      network.sockets.push(socket);
      if (proxy) return socket;
      network.connections.push(`${host} ${port}`);
      const remoteAddress = leadsTo(host);
      if (remoteAddress === null) return socket;
      Object.defineProperty(socket, "remoteAddress", { value: remoteAddress });
      setImmediate(() => socket.emit("connect"));
      return socket;
    },
  };
  if (proxy) {
    connectOptions.proxy = proxy.url;
    proxy.answer = (client, target) => {
      network.connections.push(target);
      if (leadsTo(target.split(" ")[0]!) !== null) client.write("HTTP/1.1 200 OK\r\n\r\n");
    };
  }
  const connectTarget = createTargetConnector(connectOptions);
  const timings = { dns: null, connect: null, tls: null };
  const open = (url: string) => connectTarget(new URL(url), timings);
  /** Why there is no connection. */
  const failure = async (url: string): Promise<ConnectFailure> => {
    const error = await open(url).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error, url).to.be.instanceOf(ConnectFailure);
    return error as ConnectFailure;
  };
  return { network, connectOptions, open, failure, timings };
}

describe("A webhook target", () => {
  it("is refused in at least two hundred spellings", () => {
    expect(new Set(refusedUrls)).to.have.property("size").that.is.at.least(200);
  });

  for (const url of refusedUrls) {
    it(`cannot be ${JSON.stringify(url)}: neither saved nor posted to`, async () => {
      expect(checkTargetUrl(url, false)).to.be.a("string");
      const { network, connectOptions } = createNetwork({ answers: [{ [NAME]: ["1.1.1.1"] }] });
      const transport = createTransport(connectOptions);
      const outcome = await transport.post(url, {}, "{}");
      expect(outcome).to.include({ status: null, errorClass: ErrorClass.TARGET_REFUSED });
      expect(network).to.deep.equal({ looks: [], connections: [], sockets: [] });
      await transport.close();
    });
  }

  for (const url of acceptedUrls) {
    it(`can be ${JSON.stringify(url)}`, () => {
      expect(checkTargetUrl(url, false)).to.equal(undefined);
    });
  }

  it("can be this machine, by http and https, only if allowed", () => {
    for (const host of ["localhost", "127.0.0.1", "[::1]", "127.1", "127.255.255.254", "localhost."]) {
      for (const url of [`http://${host}:8080/`, `https://${host}:8443/`, `http://${host}/`]) {
        expect(checkTargetUrl(url, true), url).to.equal(undefined);
        expect(checkTargetUrl(url, false), url).to.be.a("string");
      }
    }
    for (const host of [
      "10.0.0.1",
      "[::ffff:127.0.0.1]",
      "[::127.0.0.1]",
      "0.0.0.0",
      "128.0.0.0",
      "[::2]",
      "app.localhost",
      NAME,
    ]) {
      expect(checkTargetUrl(`http://${host}:8080/`, true), host).to.be.a("string");
    }
  });
});

describe("A connection to a webhook target", () => describeConnections(true));
describe("A connection through a proxy to a webhook target", () => describeConnections(false));

function describeConnections(isDirect: boolean): void {
  const forwardProxy = useForwardProxy();
  const fakeNetwork = (options: Parameters<typeof createNetwork>[0]) =>
    createNetwork({ ...options, proxy: isDirect ? undefined : forwardProxy });

  for (const address of privateAddresses) {
    it(`is refused to ${address}, however it was resolved`, async () => {
      for (const addresses of [
        [address],
        ["1.1.1.1", address],
        [address, "1.1.1.1"],
        ["2606:4700::1111", "1.1.1.1", address],
      ]) {
        const { network, failure } = fakeNetwork({ answers: [{ [NAME]: addresses }] });
        expect((await failure(`https://${NAME}/`)).errorClass, addresses.join()).to.equal(ErrorClass.TARGET_REFUSED);
        expect(network).to.deep.equal({ looks: [NAME], connections: [], sockets: [] });
      }
      if (address.includes("%")) return;
      const { network, failure } = fakeNetwork({});
      const error = await failure(`http://${literal(address)}/`);
      expect(error.errorClass).to.equal(ErrorClass.TARGET_REFUSED);
      expect(error.message, "what we found is not the receiver's business").not.to.match(/\d/);
      expect(network).to.deep.equal({ looks: [], connections: [], sockets: [] });
    });
  }

  for (const address of publicAddresses) {
    it(`is allowed to ${address}`, async () => {
      const named = fakeNetwork({ answers: [{ [NAME]: [address] }] });
      await named.open(`http://${NAME}:8080/`);
      expect(named.network).to.deep.include({ looks: [NAME], connections: [`${address} 8080`] });
      const direct = fakeNetwork({});
      await direct.open(`http://${literal(address)}/`);
      expect(direct.network.looks).to.deep.equal([]);
      expect(direct.network.connections).to.have.length(1);
    });
  }

  it("uses the checked address, with a single DNS lookup", async () => {
    const { network, open, failure } = fakeNetwork({ answers: [{ [NAME]: ["1.1.1.1"] }, { [NAME]: ["127.0.0.1"] }] });
    await open(`http://${NAME}/`);
    expect(network).to.deep.include({ looks: [NAME], connections: ["1.1.1.1 80"] });
    expect((await failure(`http://${NAME}/`)).errorClass).to.equal(ErrorClass.TARGET_REFUSED);
    expect(network).to.deep.include({ looks: [NAME, NAME], connections: ["1.1.1.1 80"] });
  });

  it("tries an address of the other family when the first is unreachable", async () => {
    const addresses = ["1.1.1.1", "1.0.0.1", "2606:4700::1111"];
    const leadsTo = (address: string) => (address.includes(":") ? address : null);
    const { network, open } = fakeNetwork({ answers: [{ [NAME]: addresses }], leadsTo });
    await open(`http://${NAME}/`);
    expect(network.connections).to.deep.equal(["1.1.1.1 80", "2606:4700::1111 80"]);
    expect(network.sockets.map(({ destroyed }) => destroyed)).to.deep.equal([true, false]);
  });

  it("times out after three seconds", async () => {
    const { network, failure, timings } = fakeNetwork({ answers: [{ [NAME]: ["1.1.1.1"] }], leadsTo: () => null });
    const outcome = await Promise.race([failure(`http://${NAME}/`), wait(LONGER)]);
    expect(outcome).to.include({ errorClass: ErrorClass.TIMEOUT });
    expect(network.sockets[0]!.destroyed).to.equal(true);
    expect(timings).to.deep.include({ tls: null });
    expect(timings.connect).to.be.at.least(2_900);
  });

  it("times out after three seconds without a DNS response", async () => {
    const connectTarget = createTargetConnector({ allowLoopback: false, lookup: () => new Promise(() => undefined) });
    const timings = { dns: null, connect: null, tls: null };
    const attempt = connectTarget(new URL(`https://${NAME}`), timings).catch((reason: unknown) => reason);
    expect(await Promise.race([attempt, wait(LONGER)])).to.include({ errorClass: ErrorClass.TIMEOUT });
    expect(timings).to.deep.include({ connect: null, tls: null });
    expect(timings.dns).to.be.at.least(2_900);
  });

  it("is not opened for an unknown name", async () => {
    const { network, failure } = fakeNetwork({});
    expect((await failure(`https://${NAME}/`)).errorClass).to.equal(ErrorClass.DNS);
    expect(network.connections).to.deep.equal([]);
    const lookup = async () => Promise.reject(Object.assign(new Error("query ENOTFOUND"), { code: "ENOTFOUND" }));
    const connectTarget = createTargetConnector({ allowLoopback: true, lookup });
    const timings = { dns: null, connect: null, tls: null };
    const error = await connectTarget(new URL(`https://${NAME}`), timings).catch((reason: unknown) => reason);
    expect(error).to.include({ errorClass: ErrorClass.DNS, message: "The host name does not exist" });
  });

  it("is allowed to this machine, but to no other private address, if allowed", async () => {
    for (const url of ["http://localhost:8080/", "http://localhost.:8080/", "http://127.0.0.1:8080/"]) {
      const { network, open } = fakeNetwork({ allowLoopback: true });
      await open(url);
      expect(network).to.deep.include({ looks: [], connections: ["127.0.0.1 8080"] });
    }
    for (const address of ["10.0.0.1", "169.254.169.254", "::ffff:127.0.0.1", "0.0.0.0"]) {
      const { network, failure } = fakeNetwork({ allowLoopback: true, answers: [{ [NAME]: [address] }] });
      expect((await failure(`https://${NAME}/`)).errorClass, address).to.equal(ErrorClass.TARGET_REFUSED);
      expect(network.connections).to.deep.equal([]);
    }
  });
}

describe("A direct connection to a webhook target", () => {
  for (const [address, other] of [
    ["1.1.1.1", "127.0.0.1"],
    ["1.1.1.1", "::ffff:127.0.0.1"],
    ["1.1.1.1", "8.8.8.8"],
    ["2606:4700::1111", "::1"],
    ["2606:4700::1111", "2606:4700::1112"],
    ["1.1.1.1", undefined],
  ] as const) {
    it(`to ${address} is closed when the socket's peer is ${other}`, async () => {
      const { network, failure } = createNetwork({ answers: [{ [NAME]: [address] }], leadsTo: () => other });
      expect((await failure(`https://${NAME}/`)).errorClass).to.equal(ErrorClass.TARGET_REFUSED);
      expect(network.connections).to.have.length(1);
      expect(network.sockets[0]!.destroyed).to.equal(true);
    });
  }

  for (const code of ["EMFILE", "ENFILE", "ENOBUFS", "EADDRNOTAVAIL"]) {
    it(`that fails with ${code} is a fault of this machine`, async () => {
      const connectSocket = () => {
        const socket = new Socket();
        setImmediate(() => socket.destroy(Object.assign(new Error(`connect ${code}`), { code })));
        return socket;
      };
      const lookup = async () => ["1.1.1.1"];
      const transport = createTransport({ allowLoopback: false, lookup, connectSocket });
      const fault = await transport.post(`https://${NAME}/`, {}, "{}").catch((error: unknown) => error);
      expect(fault).to.be.instanceOf(OwnFault);
      await transport.close();
    });
  }

  it("reports the first failure when this machine cannot try the other family", async () => {
    const connectSocket = ({ host }: { host: string }) => {
      const socket = new Socket();
      const code = host.includes(":") ? "EADDRNOTAVAIL" : "ECONNREFUSED";
      setImmediate(() => socket.destroy(Object.assign(new Error(code), { code })));
      return socket;
    };
    const lookup = async () => ["1.1.1.1", "2606:4700::1111"];
    const connectTarget = createTargetConnector({ allowLoopback: false, lookup, connectSocket });
    const timings = { dns: null, connect: null, tls: null };
    const error = await connectTarget(new URL(`https://${NAME}`), timings).catch((reason: unknown) => reason);
    expect(error).to.include({ errorClass: ErrorClass.CONNECTION });
  });
});
