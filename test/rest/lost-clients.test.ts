import { once } from "node:events";
import { expect } from "chai";
import { pino } from "pino";
import { eventually } from "../support/eventually.ts";
import { buildKey, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { openSocket } from "../support/requests/wire.ts";

describe("A client that disconnects", () => {
  const { logger, lines } = collectLines("debug");
  const server = useServer({ logger });
  const writeError = console.error;
  const written: unknown[] = [];

  before(() => {
    console.error = (...values: unknown[]) => void written.push(values);
  });

  after(() => {
    console.error = writeError;
  });

  it("is logged once, and not as an error", async () => {
    const shop = await buildShop(server.em);
    const key = await buildKey(server.em, shop);
    for (const path of [`/api/v1/${shop.id}/products`, "/graphql"]) {
      lines.length = 0;
      const socket = openSocket(server);
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n`;
      socket.write(`${head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{`);
      await once(socket, "connect");
      // Once a whole request on another connection is answered, this one is being read.
      await fetch(`${server.url}/health`);
      socket.resetAndDestroy();
      const [line] = await eventually(
        () => lines.filter(({ msg }) => msg === "client disconnected"),
        (found) => found.length > 0,
      );
      expect(line!.requestId).to.be.a("string");
      expect(Math.max(...lines.map(({ level }) => level))).to.be.below(pino.levels.values.warn!);
    }
    expect(written).to.deep.equal([]);
  });
});
