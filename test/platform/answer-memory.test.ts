import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect } from "chai";
import { startHttpServer } from "../../src/platform/http/http-server.ts";
import { eventually } from "../support/eventually.ts";

setFlagsFromString("--expose-gc");
const collectGarbage = runInNewContext("gc") as () => void;

describe("A sent answer", () => {
  it("is not retained by its open connection", async () => {
    const answers: WeakRef<ServerResponse>[] = [];
    const server = await startHttpServer(
      (_request, response) => {
        answers.push(new WeakRef(response));
        response.end("here");
      },
      {
        host: "127.0.0.1",
        variables: { host: "HOST", port: "PORT" },
        port: 0,
        headers: new Map(),
        connections: { most: 10, mostOfAddress: undefined, silence: 5_000 },
      },
    );
    const socket = connect(server.port, "127.0.0.1");
    socket.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
    await once(socket, "data");
    await eventually(
      async () => {
        await wait(10);
        collectGarbage();
        return answers[0]!.deref() === undefined;
      },
      (isGone) => isGone,
    );
    expect(socket.readyState).to.equal("open");
    socket.destroy();
    await server.stop();
  });
});
