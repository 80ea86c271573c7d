import { once } from "node:events";
import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { startHttpServer, type HttpServer } from "../../src/platform/http/http-server.ts";

const CLIENTS = 40;

describe("A listening HTTP server", () => {
  const servers: HttpServer[] = [];

  async function start(port = 0, turns: number[] = [], turn = () => 0): Promise<HttpServer> {
    const server = await startHttpServer(
      (_request, response) => {
        turns.push(turn());
        response.end("here");
      },
      {
        host: "127.0.0.1",
        variables: { host: "HOST", port: "PORT" },
        port,
        headers: new Map(),
        connections: { most: 100, mostOfAddress: undefined, silence: 5_000 },
      },
    );
    servers.push(server);
    return server;
  }

  afterEach(() => Promise.all(servers.splice(0).map((server) => server.stop())));

  it("accepts several new clients in each turn of the event loop", async function () {
    if (process.platform !== "linux") this.skip();
    let turn = 0;
    const turns: number[] = [];
    const { port } = await start(0, turns, () => turn);
    const sockets = Array.from({ length: CLIENTS }, () => connect(port, "127.0.0.1"));
    await Promise.all(sockets.map((socket) => once(socket, "connect")));
    for (const socket of sockets) socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    while (turns.length < CLIENTS) {
      await nextTurn();
      turn += 1;
    }
    for (const socket of sockets) socket.destroy();
    expect(new Set(turns).size).to.be.below(CLIENTS / 2);
  });

  it("releases its port when it stops", async () => {
    const first = await start();
    await first.stop();
    const { port } = await start(first.port);
    const answer = await fetch(`http://127.0.0.1:${port}/`);
    expect(await answer.text()).to.equal("here");
  });
});
