import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

/** Changes of a shop, longer than the turn of an endpoint when places are few. */
const CHANGES = 16;
const PAUSE = 500;

describe("A hanging attempt", function () {
  this.timeout(60_000);
  const server = useServer({ worker: true });
  const receiver = createServer((request, response) => {
    request.resume();
    isFirst ? (isFirst = false) : response.writeHead(204).end();
  });
  let isFirst = true;
  let url: string;

  before(async () => {
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  });
  after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });

  it("does not delay other deliveries of its endpoint", async () => {
    const shop = await buildShop(server.em);
    await buildEndpoint(server, shop, url);
    for (let change = 0; change < CHANGES; change += 1) {
      await buildProduct(server.em, shop);
      await wait(PAUSE);
    }
    const attempts = () =>
      query<{ error_class: string | null }>(
        server.databaseUrl,
        "select error_class from delivery_attempts where shop_id = $1",
        [shop.id],
      );
    await eventually(attempts, (rows) => rows.length === CHANGES - 1, 10_000);
    expect((await attempts()).map((row) => row.error_class)).not.to.include("TIMEOUT");
    // The one that hangs is recorded after all others, by its time-out.
    const all = await eventually(attempts, (rows) => rows.length === CHANGES, 15_000);
    expect(all.filter((row) => row.error_class === "TIMEOUT")).to.have.length(1);
  });
});
