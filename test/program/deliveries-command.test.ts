import { expect } from "chai";
import { measureDeliveries } from "../../src/core/webhooks/health/measure-deliveries.ts";
import { runCommand } from "../support/programs/command.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

describe("merchant-api deliveries stats", () => {
  const shop = useWebhookShop();
  const { server } = shop;

  it("prints the figures of all shops with endpoints", async () => {
    await shop.addFailed(2);
    const all = await measureDeliveries(server.em);
    const run = (...options: string[]) =>
      runCommand(["deliveries", "stats", ...options], { DATABASE_URL: server.databaseUrl });
    const { code, stdout } = await run("--json");
    expect(code).to.equal(0);
    expect(JSON.parse(stdout)).to.deep.equal(JSON.parse(JSON.stringify(all)));
    const table = (await run()).stdout.trimEnd().split("\n");
    expect(table[0]!.split(/ {2,}/)).to.deep.equal(
      "SHOP ID,SHOP NAME,HEALTH,ENDPOINTS,WAITING,FAILED,OLDEST DUE AT".split(","),
    );
    expect(table).to.have.length(1 + all.length);
  });
});
