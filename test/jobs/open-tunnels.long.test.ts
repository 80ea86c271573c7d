import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { expect } from "chai";
import { ErrorClass } from "../../src/core/model/webhooks/error-class.ts";
import { trustAlso } from "../../src/jobs/transport/connect-target.ts";
import { createTransport, type Transport } from "../../src/jobs/transport/create-transport.ts";
import { OwnFault } from "../../src/jobs/transport/failures.ts";
import type { ServerUrl } from "../../src/platform/server-url.ts";
import { useBehavingReceivers } from "../support/webhooks/behaving-receiver.ts";
import { behaviors } from "../support/webhooks/behaviors/index.ts";
import { useForwardProxy } from "../support/webhooks/forward-proxy.ts";

const ADDRESS = "93.184.215.14";
const UNREACHABLE = "The proxy of this installation could not connect to the server";

describe("A proxy to webhook receivers", function () {
  this.timeout(20_000);
  const receivers = useBehavingReceivers();
  const proxy = useForwardProxy();
  let transport: Transport;

  function start(url: ServerUrl = proxy.url): void {
    transport = createTransport({
      allowLoopback: true,
      secureContext: trustAlso([receivers.ca]),
      lookup: async () => [ADDRESS],
      proxy: url,
    });
  }

  beforeEach(() => start());
  afterEach(() => transport.close());

  const post = (url = "https://receiver.example/") => transport.post(url, {}, "{}");

  async function fault(): Promise<string> {
    const error = await post().catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(OwnFault);
    // An error is logged with its properties.
    expect(JSON.stringify(error, Object.getOwnPropertyNames(error))).not.to.match(/p:ss|cDpzcw|merchant:/);
    return (error as Error).message.replace("The proxy of WEBHOOKS_PROXY ", "");
  }

  const answering = (text: string) => (client: Duplex) => void client.write(text);
  const refusing = answering("HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n");

  it("gets the checked address, its user and password, and none of the request", async () => {
    const url = await receivers.start(behaviors["speaks TLS"]!);
    expect(await post(url)).to.include({ status: 200, errorClass: null });
    const target = `${ADDRESS}:${new URL(url).port}`;
    const credentials = `Basic ${Buffer.from("merchant:p:ss").toString("base64")}`;
    expect(proxy.headers).to.deep.equal([
      { host: target, "proxy-authorization": credentials, connection: "keep-alive" },
    ]);
    start({ ...proxy.url, auth: undefined });
    await post(url);
    expect(proxy.headers[1]).not.to.have.property("proxy-authorization");
  });

  it("cannot present the certificate of another host", async () => {
    const url = await receivers.start(behaviors["has a certificate for another host"]!);
    expect(await post(url)).to.include({ status: null, errorClass: ErrorClass.TLS });
  });

  it("that refuses the password is a fault of ours, also for one host", async () => {
    proxy.answer = answering("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\nContent-Length: 0\r\n\r\n");
    for (let turn = 0; turn < 2; turn += 1) expect(await fault()).to.equal("refused the user and password (407)");
  });

  it("that is down is a fault of ours", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    start({ ...proxy.url, port });
    expect(await fault()).to.equal("cannot be connected to (ECONNREFUSED)");
    start({ ...proxy.url, host: "no-such-proxy.invalid" });
    expect(await fault()).to.match(/^cannot be connected to \((ENOTFOUND|EAI_AGAIN)\)$/);
  });

  it("that does not speak HTTP, or too much of it, is a fault of ours", async () => {
    proxy.answer = answering("SSH-2.0-OpenSSH_9.6\r\n");
    expect(await fault()).to.match(/^did not answer in HTTP/);
    proxy.answer = answering(`HTTP/1.1 200 OK\r\n${`X-A: ${"b".repeat(100)}\r\n`.repeat(200)}\r\n`);
    expect(await fault()).to.equal("did not answer in HTTP (HPE_HEADER_OVERFLOW)");
  });

  for (const [how, answer, errorClass, problem] of [
    ["answers 502", refusing, ErrorClass.CONNECTION, /^answered 502, for several hosts$/],
    ["redirects", answering("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1/\r\n\r\n"), ErrorClass.CONNECTION, /302/],
    ["closes", (client: Duplex) => void client.end(), ErrorClass.CONNECTION, /^closed the connection/],
    ["hangs", () => undefined, ErrorClass.TIMEOUT, /^did not answer in time/],
  ] as const) {
    it(`that ${how} is a fault of ours once it does so for several hosts, until it connects to one`, async () => {
      proxy.answer = answer;
      for (let turn = 0; turn < 2; turn += 1) {
        const { error, ...outcome } = await post("https://dead.example/");
        expect(outcome).to.include({ status: null, errorClass, isSent: false });
        expect(error).to.equal(how === "hangs" ? "No connection in time" : UNREACHABLE);
      }
      expect(await fault()).to.match(problem);
      const again = await post("https://dead.example/").catch((reason: unknown) => reason);
      expect(again).to.be.instanceOf(OwnFault);
      proxy.answer = undefined;
      expect(await post(await receivers.start(behaviors["speaks TLS"]!))).to.include({ errorClass: null });
      proxy.answer = answer;
      expect(await post()).to.include({ errorClass });
      expect(proxy.targets).to.deep.include(`${ADDRESS} 443`);
    });
  }

  it("that closes in the body of a response fails the attempt", async () => {
    proxy.answer = (client) => {
      client.write("HTTP/1.1 200 OK\r\n\r\n");
      client.once("data", () => client.end("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nok"));
    };
    expect(await post("http://127.0.0.1:9/")).to.include({ status: 200, errorClass: ErrorClass.CONNECTION });
  });

  it("that sends more than its answer fails the attempt, and is not asked again", async () => {
    proxy.answer = answering("HTTP/1.1 200 OK\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n");
    for (const url of ["http://127.0.0.1:9/", "https://receiver.example/"]) {
      expect(await post(url)).to.include({ status: null, errorClass: ErrorClass.PROTOCOL });
    }
    expect(proxy.targets).to.have.length(2);
  });
});
