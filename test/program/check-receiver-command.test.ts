import { expect } from "chai";
import { runCommand } from "../support/programs/command.ts";
import { useWebhookShop } from "../support/webhooks/webhook-shop.ts";

describe("merchant-api check-receiver", () => {
  const shop = useWebhookShop({ worker: true });

  it("prints each check, and exits with 2 if one fails", async () => {
    const run = (...options: string[]) =>
      runCommand(["check-receiver", "--shop", shop.shop.id, ...options], { DATABASE_URL: shop.server.databaseUrl });
    const { code, stdout } = await run("--endpoint", shop.endpointId, "--json");
    expect(code).to.equal(2);
    const results = JSON.parse(stdout);
    expect(results).to.have.length(12);
    expect(results[1]).to.deep.include({ check: "WRONG_SIGNATURE", isPassed: false, finding: "Responded with 204" });
    const again = await run("--endpoint", shop.endpointId);
    expect(again).to.include({ code: 1 });
    expect(again.stderr).to.match(/once a minute[^]*Try again in \d+ seconds/);
    const unknown = await run("--endpoint", "whe_00000000000000000000000000");
    expect(unknown).to.deep.include({ code: 1, stdout: "" });
    expect(unknown.stderr).to.include("Webhook endpoint not found");
    const [audited] = await shop.audit("WEBHOOK_RECEIVER_CHECKED");
    expect(audited).to.include({ actor_kind: "OPERATOR", target_id: shop.endpointId });
  });
});
