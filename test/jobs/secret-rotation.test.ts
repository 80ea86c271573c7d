import { createHmac } from "node:crypto";
import { expect } from "chai";
import { Webhook } from "standardwebhooks";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint } from "../support/factories.ts";
import { useReceiver, type ReceivedDelivery } from "../support/webhooks/receiver.ts";
import { useWorld } from "../support/world.ts";

const HOUR = 3_600_000;

describe("Deliveries during a secret rotation", () => {
  const { server, shop, call, run, sql } = useWorld({ worker: true });
  const receiver = useReceiver();
  let endpointId: string;
  let oldSecret: string;

  beforeEach(async () => {
    const { endpoint, secret } = await buildEndpoint(server, shop, receiver.url);
    [endpointId, oldSecret] = [endpoint.id, secret];
  });

  async function rotate(input: Record<string, unknown> = {}): Promise<string> {
    return (await run("rotateWebhookSecret", { id: endpointId, input })).secret;
  }

  async function deliver(): Promise<ReceivedDelivery> {
    receiver.received.length = 0;
    await call("POST", "/products", { body: { title: "Mug", price: 1 } });
    const [delivery] = await eventually(
      () => receiver.received,
      (all) => all.length > 0,
    );
    return delivery!;
  }

  function verifies({ headers, body }: ReceivedDelivery, secret: string): boolean {
    try {
      new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }

  function keyedBy({ headers, body }: ReceivedDelivery, secrets: Record<string, string>): string | undefined {
    const given = headers["x-webhook-signature"];
    return Object.keys(secrets).find(
      (name) => given === `sha256=${createHmac("sha256", secrets[name]!).update(body).digest("hex")}`,
    );
  }

  it("have both signatures, newest first, and the new one in X-Webhook-Signature", async () => {
    const before = await deliver();
    expect([verifies(before, oldSecret), keyedBy(before, { oldSecret })]).to.deep.equal([true, "oldSecret"]);
    const newSecret = await rotate();
    const delivery = await deliver();
    expect([verifies(delivery, newSecret), verifies(delivery, oldSecret)]).to.deep.equal([true, true]);
    expect(keyedBy(delivery, { oldSecret, newSecret })).to.equal("newSecret");
    const signatures = String(delivery.headers["webhook-signature"]).split(" ");
    expect(signatures).to.have.length(2);
    const newest = { ...delivery, headers: { ...delivery.headers, "webhook-signature": signatures[0] } };
    expect([verifies(newest, newSecret), verifies(newest, oldSecret)]).to.deep.equal([true, false]);
  });

  it("have only the new signature after the overlap", async () => {
    const newSecret = await rotate();
    await sql("update webhook_endpoints set old_secret_expires_at = now() - interval '1 s' where shop_id = $1");
    const delivery = await deliver();
    expect([verifies(delivery, newSecret), verifies(delivery, oldSecret)]).to.deep.equal([true, false]);
    expect(String(delivery.headers["webhook-signature"])).to.match(/^v1,[^ ]+$/);
    expect(keyedBy(delivery, { oldSecret, newSecret })).to.equal("newSecret");
  });

  it("have only the new signature without an overlap", async () => {
    const newSecret = await rotate({ overlapHours: 0 });
    const delivery = await deliver();
    expect([verifies(delivery, newSecret), verifies(delivery, oldSecret)]).to.deep.equal([true, false]);
    expect(keyedBy(delivery, { oldSecret, newSecret })).to.equal("newSecret");
  });

  it("have only the newest signature after a leak during an overlap", async () => {
    const leaked = await rotate({ activeAt: new Date(Date.now() + HOUR).toISOString() });
    const newSecret = await rotate({ overlapHours: 0 });
    const delivery = await deliver();
    expect([newSecret, leaked, oldSecret].map((secret) => verifies(delivery, secret))).to.deep.equal([
      true,
      false,
      false,
    ]);
    expect(keyedBy(delivery, { oldSecret, leaked, newSecret })).to.equal("newSecret");
  });

  it("have the old signature in X-Webhook-Signature until the chosen time", async () => {
    const newSecret = await rotate({ activeAt: new Date(Date.now() + HOUR).toISOString() });
    const early = await deliver();
    expect(keyedBy(early, { oldSecret, newSecret })).to.equal("oldSecret");
    expect([verifies(early, newSecret), verifies(early, oldSecret)]).to.deep.equal([true, true]);
    await sql("update webhook_endpoints set secret_active_at = now() - interval '1 s' where shop_id = $1");
    expect(keyedBy(await deliver(), { oldSecret, newSecret })).to.equal("newSecret");
  });

  it("have the new signature in X-Webhook-Signature after staff activate it", async () => {
    const newSecret = await rotate({ activeAt: new Date(Date.now() + HOUR).toISOString() });
    await run("activateWebhookSecret", { id: endpointId });
    // On a busy machine, the worker's measurement of PostgreSQL's time may be late.
    await sql("update webhook_endpoints set secret_active_at = secret_active_at - interval '1 s' where shop_id = $1");
    const delivery = await deliver();
    expect(keyedBy(delivery, { oldSecret, newSecret })).to.equal("newSecret");
    expect(verifies(delivery, oldSecret)).to.equal(true);
  });
});
