import { randomBytes } from "node:crypto";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { expect } from "chai";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { useServer } from "../support/server.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";

const encryptionKeys = [{ name: "files", key: randomBytes(32) }];
/** Enough to start, and not for so many receivers that hang. */
const FILES = 100;
const HANGING = 90;

describe("A worker without file descriptors", function () {
  this.timeout(90_000);
  const server = useServer({ config: { encryptionKeys } });
  const receiver = useReceiver();
  const sockets: Socket[] = [];
  const silent = createServer((socket) => sockets.push(socket.on("error", () => undefined)));
  let worker: ServerProcess;

  before(() => new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve)));
  afterEach(() => worker.kill());
  after(() => {
    silent.close();
    for (const socket of sockets) socket.destroy();
  });

  it("blames no receiver, and sends once it has some again", async () => {
    worker = new ServerProcess({
      command: "worker",
      databaseUrl: server.databaseUrl,
      encryptionKeys,
      fileLimit: FILES,
    });
    await worker.started();
    const hanging = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    for (let shops = 0; shops < HANGING / 10; shops += 1) {
      const shop = await buildShop(server.em);
      for (let endpoint = 0; endpoint < 10; endpoint += 1) await buildEndpoint(server, shop, `${hanging}/${endpoint}`);
      await buildProduct(server.em, shop);
    }
    const calm = await buildShop(server.em);
    await buildEndpoint(server, calm, receiver.url);
    for (let change = 0; change < 15; change += 1) await buildProduct(server.em, calm);
    await eventually(
      () => worker.output,
      (output) => output.includes("EMFILE"),
      15_000,
    );
    const states = () =>
      query<{ status: string }>(server.databaseUrl, "select status from delivery_states where shop_id = $1", [calm.id]);
    await eventually(states, (rows) => rows.every(({ status }) => status === "SUCCEEDED"), 60_000);
    const failed = await query(
      server.databaseUrl,
      "select * from delivery_attempts where error_class is not null and error_class <> 'TIMEOUT'",
    );
    expect(failed).to.deep.equal([]);
  });
});
