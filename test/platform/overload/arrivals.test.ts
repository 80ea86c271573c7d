import { once } from "node:events";
import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { call } from "../../support/client.ts";
import { eventually } from "../../support/eventually.ts";
import { buildKey, buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { logInFrom } from "../../support/staff/logins.ts";
import { openSocket } from "../../support/requests/wire.ts";
import { useMetrics } from "../../support/telemetry/scrape.ts";
import { useServer } from "../../support/server.ts";

/** More than the places of a tenant. */
const MANY = 70;
const LARGE = 255 * 1024;

describe("Requests whose bodies arrive slowly", () => {
  const server = useServer({ config: { trustedProxies: 1 } });
  const metrics = useMetrics(server);
  const sockets: Socket[] = [];
  let shop: Shop;
  let key: string;

  before(async () => {
    shop = await buildShop(server.em);
    key = await buildKey(server.em, shop);
  });

  afterEach(async () => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    await arriving(0);
  });

  const arriving = (count: number) =>
    eventually(
      () => metrics.read("requests_arriving"),
      (found) => found === count,
    );

  interface Body {
    address?: string;
    credential?: string;
    bytes?: number;
    length?: string;
  }

  /** Sends the first bytes of a body. The client then neither reads nor closes. */
  function begin({ address = "192.0.2.1", credential, bytes = 10, length = "Content-Length: 262000" }: Body): Socket {
    const socket = openSocket(server);
    sockets.push(socket.on("error", () => undefined));
    const authorization = credential ? `Authorization: Bearer ${credential}\r\n` : "";
    socket.write(
      `POST /api/v1/${shop.id}/products HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-For: ${address}\r\n` +
        `Content-Type: application/json\r\n${authorization}${length}\r\n\r\n${" ".repeat(bytes)}`,
    );
    return socket;
  }

  const list = (credential: string) => call(server, "GET", `/${shop.id}/products`, { key: credential });
  const newKey = () => buildKey(server.em, shop);

  /** A product whose body is large, sent in chunks if asked. */
  async function create(credential: string, isChunked: boolean): Promise<number> {
    const text = `{"title":"Mug","price":1}${" ".repeat(LARGE - 30)}`;
    const body = isChunked ? new Blob([text]).stream() : text;
    const headers = { authorization: `Bearer ${credential}`, "content-type": "application/json" };
    const options = { method: "POST", headers, body, duplex: "half" } as RequestInit;
    return (await fetch(`${server.url}/api/v1/${shop.id}/products`, options)).status;
  }

  async function expectServing(staff: TestStaff): Promise<void> {
    expect((await logInFrom(server, "198.51.100.1", staff)).status).to.equal(200);
    for (const path of ["/admin/", "/docs", "/api/v1/openapi.json"]) {
      expect((await fetch(server.url + path)).status, path).to.equal(200);
    }
    for (const credential of [key, await newKey()]) {
      expect((await list(credential)).status).to.equal(200);
      for (const isChunked of [false, true]) expect(await create(credential, isChunked)).to.equal(201);
    }
  }

  it("leave places for all others, whatever their address and credential", async () => {
    const staff = await buildStaff(server.em, shop);
    await list(key);
    for (let index = 0; index < MANY; index += 1) {
      begin({ address: `192.0.2.${index}`, bytes: 20_000 });
      begin({ credential: key });
      begin({ credential: "unknown", length: "Transfer-Encoding: chunked", bytes: 0 });
    }
    await arriving(3 * MANY);
    expect(await metrics.read("requests_in_flight")).to.equal(0);
    await expectServing(staff);
  });

  it("are ended with 408 below 240 bytes a second, also if the client neither reads nor closes", async () => {
    const before = (await metrics.read("requests_cut_total"))!;
    const slow = [begin({ credential: key }), begin({})];
    const fast = begin({ bytes: 20_000 });
    const closed = slow.map((socket) => once(socket.pause(), "close"));
    await eventually(
      () => metrics.read("requests_cut_total"),
      (count) => count === before + 2,
      20_000,
    );
    await arriving(1);
    // Node notices the end of a connection only while it reads.
    const answers = await Promise.all(slow.map(async (socket) => String((await once(socket.resume(), "data"))[0])));
    for (const answer of answers) expect(answer).to.match(/^HTTP\/1\.1 408 .*"error":"Request Timeout"/s);
    await Promise.all(closed);
    expect(fast.destroyed).to.equal(false);
  }).timeout(40_000);

  it("are bounded in bytes for each network and credential: the one that has taken longest ends", async () => {
    await list(key);
    const others = [begin({ address: "198.51.100.9", bytes: LARGE }), begin({ credential: key, bytes: LARGE })];
    await arriving(2);
    const first = begin({ bytes: LARGE });
    await arriving(3);
    for (let count = 0; count < 61; count += 1) begin({ bytes: LARGE });
    const [answer] = (await once(first, "data")) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1\.1 408 /);
    expect(others.map(({ destroyed }) => destroyed)).to.deep.equal([false, false]);
  });

  it("wait unread behind an earlier request of their connection", async () => {
    const socket = begin({ bytes: 0, length: "Content-Length: 5" });
    await arriving(1);
    socket.write(`12345POST /graphql HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{`);
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).to.match(/^HTTP\/1\.1 401 /);
    await arriving(1);
    await wait(0);
    socket.write("}");
    expect(String((await once(socket, "data"))[0])).to.match(/^HTTP\/1\.1 400 /);
  });
});
