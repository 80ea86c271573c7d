import { expect } from "chai";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { query } from "../../support/database.ts";
import { buildDelivery, type DeliveryOverrides } from "../../support/webhooks/deliveries.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const FIELDS = "id status nextAttemptAt waitsFor";
const ASK = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) {
  webhookDelivery(id: $id) { ${FIELDS} } webhookDeliveries { items { ${FIELDS} } } } }`;

const DUE = new Date("2026-01-02T00:00:00.000Z");
const PROBE = new Date("2026-01-03T00:00:00.000Z");
const LATER = new Date("2026-01-04T00:00:00.000Z");

describe("What a webhook delivery waits for", () => {
  const { server, shop, ask } = useWorld();
  let endpoint: { shopId: string; id: string };

  beforeEach(async () => {
    ({ endpoint } = await buildEndpoint(server, shop, "https://receiver.example/hooks"));
  });

  const makeEndpoint = (state: string) =>
    query(server.databaseUrl, `update webhook_endpoints set ${state} where id = $1`, [endpoint.id]);
  const SUSPENDED = `failing_topics = '{"product.created": 12}', probe_at = '${PROBE.toISOString()}'`;
  const DISABLED = "disabled_at = now(), disabled_reason = 'GONE'";

  /** As it is shown by itself and in the list, which say the same. */
  async function shown(overrides: DeliveryOverrides, change = "") {
    const { id } = await buildDelivery(server.em, endpoint, overrides);
    if (change) await query(server.databaseUrl, `update outstanding_deliveries set ${change} where id = $1`, [id]);
    if (change) await query(server.databaseUrl, `update deliveries set ${change} where id = $1`, [id]);
    const { data, errors } = await ask(ASK, { id });
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    const { id: _id, status: _status, ...delivery } = data.shop.webhookDelivery;
    expect(data.shop.webhookDeliveries.items[0]).to.deep.include(delivery);
    return delivery;
  }

  const pending = (nextAttemptAt: Date) => ({ status: DeliveryStatus.PENDING, nextAttemptAt });

  it("is its scheduled time", async () => {
    const expected = { nextAttemptAt: DUE.toISOString(), waitsFor: "SCHEDULE" };
    expect(await shown(pending(DUE))).to.deep.equal(expected);
  });

  it("is the endpoint to be resumed, without a known time", async () => {
    await makeEndpoint("paused = true");
    const expected = { nextAttemptAt: null, waitsFor: "PAUSED_ENDPOINT" };
    expect(await shown(pending(DUE))).to.deep.equal(expected);
    await makeEndpoint(SUSPENDED);
    expect(await shown(pending(DUE))).to.deep.equal(expected);
  });

  it("is the probe of a suspended endpoint, or its own later time", async () => {
    await makeEndpoint(SUSPENDED);
    const waitsFor = "SUSPENDED_ENDPOINT";
    expect(await shown(pending(DUE))).to.deep.equal({ nextAttemptAt: PROBE.toISOString(), waitsFor });
    expect(await shown(pending(LATER))).to.deep.equal({ nextAttemptAt: LATER.toISOString(), waitsFor });
  });

  it("is null when it is final, whatever the endpoint's state", async () => {
    const nothing = { nextAttemptAt: null, waitsFor: null };
    for (const state of ["paused = false", SUSPENDED, "paused = true", DISABLED]) {
      await makeEndpoint(state);
      for (const status of [DeliveryStatus.SUCCEEDED, DeliveryStatus.FAILED]) {
        expect(await shown({ status }), `${status}, ${state}`).to.deep.equal(nothing);
      }
    }
    expect(await shown(pending(DUE)), "to be failed by the sweep").to.deep.equal(nothing);
  });

  it("is its schedule for a test event, whatever the endpoint's state", async () => {
    for (const state of ["paused = true", SUSPENDED, DISABLED]) {
      await makeEndpoint(state);
      const test = await shown({ status: DeliveryStatus.PENDING }, "is_test = true");
      expect(test, state).to.deep.equal({ nextAttemptAt: null, waitsFor: "SCHEDULE" });
    }
  });
});
