import { once } from "node:events";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { ErrorClass } from "../../src/core/model/webhooks/error-class.ts";
import { trustAlso, type ConnectOptions } from "../../src/jobs/transport/connect-target.ts";
import { createTransport } from "../../src/jobs/transport/create-transport.ts";
import { useBehavingReceivers } from "../support/webhooks/behaving-receiver.ts";
import { useForwardProxy } from "../support/webhooks/forward-proxy.ts";
import { behaviors } from "../support/webhooks/behaviors/index.ts";

const PUBLIC_ADDRESS = "93.184.215.14";

describe("The webhook transport", () => describeTransport(true));
describe("The webhook transport through a proxy", () => describeTransport(false));

function describeTransport(isDirect: boolean): void {
  const receivers = useBehavingReceivers();
  const proxy = useForwardProxy();
  const closes: (() => unknown)[] = [];
  let directly: string[] = [];
  /** The addresses to which connections were opened. */
  const connections = () => (isDirect ? directly : proxy.targets.map((target) => target.split(" ")[0]));

  afterEach(async () => {
    for (const close of closes.splice(0)) await close();
    directly = [];
  });

  /** Whatever address it asks for, it ends at this machine. */
  function transportOf(options: Partial<ConnectOptions> = {}) {
    const transport = createTransport({
      allowLoopback: true,
      secureContext: trustAlso([receivers.ca]),
      lookup: async () => [PUBLIC_ADDRESS],
      connectSocket: ({ host, port }) => {
        directly.push(host);
        const socket = connect({ host: "127.0.0.1", port });
        return Object.defineProperty(socket, "remoteAddress", { value: host });
      },
      ...(!isDirect && { proxy: proxy.url, connectSocket: connect }),
      ...options,
    });
    // Some tests close it themselves.
    closes.push(() => transport.close().catch(() => undefined));
    return transport;
  }

  /** Waits so long that receivers which close a connection after an answer have done so. */
  const untilClosed = () => wait(20);

  async function listen(listener: RequestListener): Promise<string> {
    const server = createHttpServer(listener).listen(0, "127.0.0.1");
    await once(server, "listening");
    closes.push(() => {
      server.close();
      server.closeAllConnections();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  it("sends the bytes of the body, the headers and the whole path", async () => {
    const body = JSON.stringify({ title: "Müg 急須" });
    const seen: unknown[] = [];
    const url = await listen(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk as Buffer);
      const { method, url: path, headers } = request;
      seen.push([method, path, headers["content-length"], headers["x-a"], Buffer.concat(chunks).toString()]);
      response.end("ok");
    });
    await transportOf().post(`${url}/a%20b/../c?d=e#f`, { "x-a": "b" }, body);
    expect(seen).to.deep.equal([["POST", "/c?d=e", String(Buffer.byteLength(body)), "b", body]]);
  });

  it("connects to the checked address with the name for TLS, records each phase, and reuses the connection", async () => {
    const url = await receivers.start(behaviors["speaks TLS"]!);
    const transport = transportOf({ allowLoopback: false });
    const { timings, ...outcome } = await transport.post(url, {}, "{}");
    expect(outcome).to.deep.equal({
      status: 200,
      errorClass: null,
      error: null,
      responseBody: "ok",
      responseHeaders: [["content-length", "2"]],
      retryAfter: null,
      isSent: true,
    });
    for (const phase of ["dns", "connect", "tls", "firstByte"] as const)
      expect(timings[phase], phase).to.be.a("number");
    expect(timings.dns! + timings.connect! + timings.tls!).to.be.lessThan(timings.firstByte!);
    expect(timings.firstByte).to.be.at.most(timings.total);
    const second = await transport.post(url, {}, "{}");
    expect(second.timings).to.include({ dns: null, connect: null, tls: null });
    expect(second.timings.firstByte).to.be.a("number");
    expect(connections()).to.deep.equal([PUBLIC_ADDRESS]);
  });

  it("reads past interim responses on a reused connection", async () => {
    const url = await listen((_request, response) => {
      response.writeContinue();
      response.end("ok");
    });
    const transport = transportOf();
    for (let turn = 0; turn < 3; turn += 1) {
      const { status, error, responseBody } = await transport.post(`${url}/`, {}, "{}");
      expect([status, error, responseBody]).to.deep.equal([200, null, "ok"]);
    }
    expect(connections()).to.have.length(1);
  });

  it("reuses the latest connection, and opens no more than there are concurrent attempts", async () => {
    const ports: number[] = [];
    const url = await listen((request, response) => {
      ports.push(request.socket.remotePort!);
      response.end();
    });
    const transport = transportOf();
    const post = () => transport.post(url, {}, "{}");
    await Promise.all(Array.from({ length: 5 }, post));
    expect(connections()).to.have.length(5);
    for (let count = 0; count < 10; count += 1) await post();
    await Promise.all(Array.from({ length: 5 }, post));
    expect(connections()).to.have.length(5);
    expect(new Set(ports.slice(5, 15)).size).to.equal(1);
  });

  it("opens a new connection when the receiver has closed the idle one", async () => {
    let close = () => {};
    const url = await listen((request, response) => {
      close = () => void request.socket.destroy();
      response.end();
    });
    const transport = transportOf();
    for (const opened of [1, 2, 3]) {
      const { status, timings } = await transport.post(url, {}, "{}");
      expect(status).to.equal(200);
      expect(timings.connect).to.be.a("number");
      expect(connections()).to.have.length(opened);
      close();
      await untilClosed();
    }
  });

  it("refuses a certificate of an unknown authority", async () => {
    const url = await receivers.start(behaviors["speaks TLS"]!);
    const outcome = await transportOf({ secureContext: undefined }).post(url, {}, "{}");
    expect(outcome).to.include({ status: null, errorClass: ErrorClass.TLS });
    expect(outcome.error).to.equal("An intermediate certificate is missing, or its authority is unknown");
  });

  it("reports the phases of a failed connection to its attempt", async () => {
    const url = await receivers.start(behaviors["has a certificate that expired"]!);
    const { timings } = await transportOf().post(url, {}, "{}");
    expect(timings.dns).to.be.a("number");
    expect(timings.tls).to.be.a("number");
    expect(timings.firstByte).to.equal(null);
  });

  it("retries once when the receiver closes an idle connection on reuse", async () => {
    const url = await receivers.start({
      status: 200,
      errorClass: null,
      requested: (socket, count) =>
        count === 1 ? socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") : socket.destroy(),
    });
    const transport = transportOf();
    for (const opened of [1, 2, 3]) {
      expect(await transport.post(url, {}, "{}")).to.include({ status: 200, errorClass: null });
      expect(connections()).to.have.length(opened);
      await untilClosed();
    }
  });

  it("does not repeat a request that the receiver has read when it ends seconds later", async () => {
    let requests = 0;
    const url = await listen((request, response) => {
      requests += 1;
      if (requests === 1) response.end();
      else setTimeout(() => request.socket.destroy(), 1_200);
    });
    const transport = transportOf();
    await transport.post(url, {}, "{}");
    const { errorClass, error } = await transport.post(url, {}, "{}");
    expect([requests, errorClass, error]).to.deep.equal([
      2,
      ErrorClass.CONNECTION,
      "The server closed the connection before the end of the response",
    ]);
  });

  it("describes a status line without a valid status as a protocol error", async () => {
    for (const status of ["000", "099", "99", "1000", "abc", "2x0", "-200", ""]) {
      const url = await receivers.start({
        status: null,
        errorClass: null,
        requested: (socket) => socket.write(`HTTP/1.1 ${status} X\r\nContent-Length: 0\r\n\r\n`),
      });
      const { errorClass, error } = await transportOf().post(url, {}, "{}");
      expect(errorClass, status).to.equal(ErrorClass.PROTOCOL);
      expect(error, status).to.match(/^The response status is not /);
    }
  });

  it("does not retry on a new connection, or after the time-out", async () => {
    let requests = 0;
    const breaking = await receivers.start({
      status: null,
      errorClass: null,
      requested: (socket) => (requests++, socket.destroy()),
    });
    expect(await transportOf().post(breaking, {}, "{}")).to.include({
      errorClass: ErrorClass.CONNECTION,
      isSent: true,
      responseHeaders: null,
    });
    expect(requests).to.equal(1);
    const hanging = await receivers.start({
      status: null,
      errorClass: null,
      requested: (socket, count) => count === 1 && socket.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    });
    const transport = transportOf();
    expect(await transport.post(hanging, {}, "{}")).to.include({ errorClass: null });
    expect(await transport.post(hanging, {}, "{}")).to.include({ errorClass: ErrorClass.TIMEOUT });
    expect(connections()).to.have.length(2);
  });

  it("is not blocked by hanging receivers of the same host", async () => {
    const url = await listen((request, response) => {
      if (request.url === "/quick") response.end();
    });
    const transport = transportOf();
    const hanging = Array.from({ length: 50 }, () => transport.post(`${url}/hang`, {}, "{}"));
    let ended = 0;
    for (const attempt of hanging) void attempt.then(() => (ended += 1));
    await wait(100);
    const quick = await Promise.all(Array.from({ length: 50 }, () => transport.post(`${url}/quick`, {}, "{}")));
    for (const { errorClass } of quick) expect(errorClass).to.equal(null);
    expect(ended).to.equal(0);
    // The receiver stops before them.
    for (const close of closes.splice(0)) await close();
    for (const { errorClass } of await Promise.all(hanging)) expect(errorClass).to.equal(ErrorClass.CONNECTION);
  });

  it("finishes attempts on close, and refuses later ones as a fault of the worker", async () => {
    const url = await listen((_, response) => void setTimeout(() => response.end(), 200));
    const transport = transportOf();
    const attempt = transport.post(url, {}, "{}");
    await wait(50);
    await transport.close();
    expect(await attempt).to.include({ status: 200, errorClass: null });
    const error = await transport.post(url, {}, "{}").catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
  });

  it("treats headers that cannot be sent as a fault of the worker", async () => {
    const url = await listen((_, response) => void response.end());
    const error = await transportOf()
      .post(url, { "x-a": "b\r\nc" }, "{}")
      .catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(Error);
    expect(connections()).to.deep.equal([]);
  });
}
