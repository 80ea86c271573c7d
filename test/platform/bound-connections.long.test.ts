import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { startHttpServer, type HttpServer, type ConnectionLimits } from "../../src/platform/http/http-server.ts";
import { eventually } from "../support/eventually.ts";

/** More than the buffers of both ends of a connection hold. */
const ANSWER = Buffer.alloc(32 * 1024 * 1024, "x");
const SILENCE = 300;

describe("Connections of an HTTP server", () => {
  let server: HttpServer;
  const sockets: Socket[] = [];
  const begun: string[] = [];

  async function start(limits: Partial<ConnectionLimits>): Promise<void> {
    const connections = { most: 100, mostOfAddress: 50, silence: SILENCE, ...limits };
    server = await startHttpServer(
      (request, response) => {
        begun.push(request.url!);
        const answer = async () => {
          if (request.url === "/never") return;
          if (request.url === "/slow") await wait(SILENCE * 3);
          response.end(request.url === "/large" ? ANSWER : "small");
        };
        void answer();
      },
      { host: "127.0.0.1", variables: { host: "HOST", port: "PORT" }, port: 0, headers: new Map(), connections },
    );
  }

  afterEach(async () => {
    sockets.splice(0).forEach((socket) => socket.destroy());
    begun.length = 0;
    await server.stop();
  });

  async function open(): Promise<Socket> {
    const socket = connect(server.port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }

  const ask = (socket: Socket, path: string) => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`);

  async function bytesOf(socket: Socket, perRead?: number): Promise<number> {
    let bytes = 0;
    for await (const chunk of socket) {
      bytes += (chunk as Buffer).length;
      if (perRead !== undefined) await wait(perRead);
      if (bytes >= ANSWER.length) break;
    }
    return bytes;
  }

  it("are closed when the client does not read the answer", async () => {
    await start({});
    const socket = await open();
    ask(socket, "/large");
    await wait(SILENCE * 1.5);
    expect(await bytesOf(socket)).to.be.below(ANSWER.length);
  });

  it("are closed when the client does not read the answer and pipelines more requests", async () => {
    await start({});
    const socket = await open();
    socket.write("GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n");
    socket.write("POST /never HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n");
    await wait(SILENCE * 1.5);
    expect(await bytesOf(socket)).to.be.below(ANSWER.length);
  });

  it("stay open while the client reads slowly", async () => {
    // Less than reading it takes, and more than a busy machine stands still.
    await start({ silence: 2_000 });
    const socket = await open();
    ask(socket, "/large");
    expect(await bytesOf(socket, 10)).to.be.at.least(ANSWER.length);
  });

  it("stay open while the answer takes time", async () => {
    await start({});
    const socket = await open();
    ask(socket, "/slow");
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).to.include("small");
  });

  it("may pipeline some requests, and are closed with many", async () => {
    await start({ silence: 10_000 });
    const request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
    const some = await open();
    some.write(request.repeat(15) + request.replace("\r\n\r\n", "\r\nConnection: close\r\n\r\n"));
    expect((await text(some)).match(/small/g)).to.have.length(16);
    const many = await open();
    many.write("POST /never HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n" + request.repeat(16));
    expect(await bytesOf(many)).to.equal(0);
  });

  it("have one request in progress, with others in between", async () => {
    await start({ silence: 10_000 });
    const [many, one] = [await open(), await open()];
    many.write("GET /many HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(16));
    ask(one, "/one");
    await eventually(
      () => begun.length,
      (count) => count === 17,
    );
    expect(begun.indexOf("/one")).to.be.below(3);
    ask(many, "/never");
    ask(many, "/behind");
    await wait(50);
    expect(begun.at(-1)).to.equal("/never");
  });

  const answerOf = async (socket: Socket) => {
    ask(socket, "/");
    const [answer] = (await once(socket, "data")) as [Buffer];
    return answer.toString();
  };

  it("are refused over the limit of an address", async () => {
    await start({ mostOfAddress: 3 });
    const first = await Promise.all([open(), open(), open()]);
    const over = await open();
    await once(over, "close");
    first[0]!.destroy();
    await wait(50);
    expect(await answerOf(await open())).to.include("small");
  });

  it("replace the one that has been idle for longest", async () => {
    await start({ most: 4, silence: 10_000 });
    const [busy, uploading, idle, active] = [await open(), await open(), await open(), await open()];
    ask(busy, "/never");
    uploading.write("POST /never HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\nhalf");
    expect(await answerOf(active)).to.include("small");
    const closed = [once(uploading, "close"), once(idle, "close")];
    expect(await answerOf(await open())).to.include("small");
    await closed[0];
    expect(idle.destroyed).to.equal(false);
    expect(await answerOf(await open())).to.include("small");
    await closed[1];
    expect(await answerOf(active)).to.include("small");
    expect(busy.destroyed).to.equal(false);
  });

  it("replace unread ones if none is idle", async () => {
    await start({ most: 2, silence: 10_000 });
    const [unread, busy] = [await open(), await open()];
    ask(busy, "/never");
    ask(unread, "/large");
    await wait(50);
    expect(await answerOf(await open())).to.include("small");
    expect(await bytesOf(unread)).to.be.below(ANSWER.length);
    expect(busy.destroyed).to.equal(false);
  });

  it("are refused when all are busy", async () => {
    await start({ most: 2, silence: 10_000 });
    const [one, other] = [await open(), await open()];
    ask(one, "/never");
    ask(other, "/never");
    await wait(50);
    await once(await open(), "close");
    expect([one.destroyed, other.destroyed]).to.deep.equal([false, false]);
  });
});
