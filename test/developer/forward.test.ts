import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { forwardDelivery, parseForwardAddress } from "../../src/developer/forward.ts";
import { signDelivery } from "../../src/core/webhooks/deliveries/delivery-headers.ts";
import { OperatorError } from "../../src/platform/errors.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";

const secret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;
const body = '{"id":"evt_1","title":"Größe ☕"}';

function signed() {
  const secrets = { active: secret, valid: [secret] };
  return {
    host: "127.0.0.1:4400",
    connection: "keep-alive",
    "content-length": "1",
    "content-type": "application/json",
    "user-agent": "MerchantAPI-Webhooks/1.0",
    "x-webhook-topic": "product.created",
    ...signDelivery({ secrets, eventId: "evt_1", body, at: new Date() }),
  };
}

describe("Forwarding a delivery", () => {
  const receiver = useReceiver();

  const forward = (url: string, timeout?: number, headers = signed()) =>
    forwardDelivery(new URL(url), { headers, body: Buffer.from(body) }, timeout);

  it("sends the same bytes with valid signatures", async () => {
    const { host: _host, connection: _connection, "content-length": _length, ...headers } = signed();
    await forward(`${receiver.url}/hooks?from=demo`, undefined, { ...signed(), ...headers });
    const [received] = receiver.received;
    expect(received).to.include({ method: "POST", path: "/hooks?from=demo" });
    expect(received!.body.toString()).to.equal(body);
    new Webhook(secret).verify(received!.body, received!.headers as Record<string, string>);
    expect(received!.headers).to.include({ ...headers, host: new URL(receiver.url).host });
    expect(received!.headers["content-length"]).to.equal(String(Buffer.byteLength(body)));
  });

  it("returns the status and Retry-After, without following redirects", async () => {
    for (const status of [200, 302, 404, 410, 503]) {
      receiver.status = status;
      receiver.answerHeaders = { "retry-after": "120", location: receiver.url, "set-cookie": "a=b" };
      const answer = await forward(receiver.url);
      expect(answer).to.deep.include({ status, headers: { "retry-after": "120" } });
      expect(answer.summary).to.match(new RegExp(`: response ${status} after \\d+ ms$`));
    }
    expect(receiver.received).to.have.length(5);
  });

  it("answers 502 when the connection is refused", async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    const answer = await forward(`http://127.0.0.1:${port}`);
    expect(answer).to.deep.include({ status: 502, headers: {} });
    expect(answer.summary).to.match(/FAILED, ECONNREFUSED, after/);
  });

  it("answers 502 for a response that is not HTTP, and 504 for a time-out", async () => {
    for (const [answer, status] of [
      ["SMTP?\r\n\r\n", 502],
      ["HTTP/1.1 042 Odd\r\n\r\n", 502],
      ["", 504],
      ["HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf", 504],
    ] as const) {
      const sockets: Socket[] = [];
      const server = createServer((socket) => {
        sockets.push(socket.on("error", () => undefined));
        socket.write(answer);
      }).listen(0, "127.0.0.1");
      await once(server, "listening");
      const { port } = server.address() as AddressInfo;
      expect(await forward(`http://127.0.0.1:${port}`, 200), answer).to.include({ status });
      server.close();
      for (const socket of sockets) socket.destroy();
    }
  });

  it("accepts http and https addresses", () => {
    for (const address of ["http://127.0.0.1:3000/hooks", "https://localhost/hooks?a=b"]) {
      expect(String(parseForwardAddress(address))).to.equal(address);
    }
    for (const address of [
      "",
      "3000",
      "127.0.0.1:3000",
      "localhost:3000/hooks",
      "/hooks",
      "ftp://a",
      "http://u:p@a/",
    ]) {
      expect(() => parseForwardAddress(address), address).to.throw(OperatorError, "--forward-to");
    }
  });
});
