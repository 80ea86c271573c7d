import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { json, text } from "node:stream/consumers";
import { expect } from "chai";
import { findFreePort } from "../support/free-port.ts";
import { Door } from "../../src/core/moves/live/door.ts";
import { haproxy, startDoor, type ProxyOfCells } from "../support/programs/haproxy.ts";

const SHOP = "shop_01hzy3v9q4e8tb6x2m7k5n0cda";

describe(`The door of several cells${haproxy ? "" : " (skipped: no HAProxy found; HAPROXY names one)"}`, () => {
  let cell: Server;
  let door: ProxyOfCells;
  let mover: Door;
  /** Requests of products that reached the cell. */
  let served = 0;

  before(async function () {
    if (!haproxy && process.env.REQUIRE_HAPROXY !== "1") this.skip();
    cell = createServer((incoming, outgoing) => {
      if (incoming.url === "/hangs") return;
      if (incoming.url === "/breaks") return incoming.socket.destroy();
      if (incoming.url?.endsWith("/products")) served += 1;
      outgoing.end();
    }).listen(0, "127.0.0.1");
    await once(cell, "listening");
    const ports = { a: (cell.address() as AddressInfo).port, b: await findFreePort() };
    door = await startDoor(SHOP, ports, { server: "1s", "http-request": "1s" });
    const backends = { source: "cell-a", destination: "cell-b" };
    mover = new Door({ sockets: [door.socket], shopId: SHOP, backends });
  });
  after(async () => {
    await door?.stop();
    cell?.closeAllConnections();
    cell?.close();
  });

  const products = `/api/v1/${SHOP}/products`;

  /** Asks from a loopback address. */
  async function ask(path: string, localAddress = "127.0.0.1"): Promise<number | unknown[]> {
    const asked = request(`${door.url}${path}`, { localAddress, agent: false }).end();
    const [answer] = await once(asked, "response");
    const { statusCode, headers } = answer;
    if (statusCode === 200) return (void answer.resume(), 200);
    return [statusCode, headers["content-type"], headers["retry-after"], await json(answer)];
  }

  it("answers its own errors in JSON", async () => {
    const type = "application/json";
    expect(await ask("/breaks")).to.deep.equal([502, type, undefined, { error: "Bad Gateway" }]);
    expect(await ask("/hangs")).to.deep.equal([504, type, undefined, { error: "Gateway Timeout" }]);
    await mover.sendTo("destination");
    expect(await ask(products)).to.deep.equal([503, type, "1", { error: "Service Unavailable" }]);
    const socket = connect(Number(new URL(door.url).port), "127.0.0.1");
    socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n1");
    const [head, body] = (await text(socket)).split("\r\n\r\n");
    expect(head).to.match(/^HTTP\/1.1 408 [^]*^content-type: application\/json/m);
    expect(body).to.equal('{"error":"Request Timeout"}');
  });

  it("holds requests of a moving shop from each network, however many another one sends", async () => {
    await mover.sendTo("source");
    await mover.hold();
    served = 0;
    const stranger = Array.from({ length: 120 }, () => ask(products));
    const refused = [503, "application/json", "1", { error: "Service Unavailable" }];
    expect(await Promise.race(stranger)).to.deep.equal(refused);
    const client = ask(products, "127.0.0.2");
    // Others are not held.
    expect(await ask("/api/v1/shop_x/orders")).to.equal(200);
    expect(served).to.equal(0);
    await mover.sendTo("source");
    expect(await client).to.equal(200);
    const answers = await Promise.all(stranger);
    expect(answers.filter((answer) => answer === 200)).to.have.length(100);
    expect(answers.filter((answer) => answer !== 200)).to.deep.equal(Array.from({ length: 20 }, () => refused));
  });
});
