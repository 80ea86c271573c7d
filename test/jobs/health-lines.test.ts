import { expect } from "chai";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useServer } from "../support/server.ts";

describe("Log lines about webhook endpoints", () => {
  const { logger, lines } = collectLines();
  const server = useServer({ worker: true, logger });
  const receiver = useReceiver();

  it("report a change of health, with failures and pending deliveries", async () => {
    const shop = await buildShop(server.em);
    const { endpoint } = await buildEndpoint(server, shop, receiver.url);
    const changes = () => lines.filter((line) => line.endpointId === endpoint.id && line.from !== undefined);
    const suspended = () => changes().find(({ to }) => to === "SUSPENDED");
    receiver.status = 500;
    for (let count = 0; count < 12; count += 1) await buildProduct(server.em, shop);
    const line = await eventually(suspended, (found) => found !== undefined);
    expect(line).to.include({ level: 40, shopId: shop.id, msg: "a webhook endpoint's health changed" });
    // All were under way when the tenth failed, at the latest.
    expect(line!.failures).to.be.within(10, 12);
    expect(line!.waiting).to.be.within(10, 12);
    expect(line!.failingSince).to.match(/^\d{4}-/);
    expect(changes()[0]).to.include({ from: "HEALTHY" });
  });

  it("are absent without a change", async () => {
    const shop = await buildShop(server.em);
    const { endpoint } = await buildEndpoint(server, shop, receiver.url);
    receiver.status = 204;
    receiver.received.length = 0;
    for (let count = 0; count < 3; count += 1) await buildProduct(server.em, shop);
    await eventually(
      () => receiver.received.length,
      (length) => length === 3,
    );
    expect(lines.filter((line) => line.endpointId === endpoint.id && line.from !== undefined)).to.deep.equal([]);
  });
});
