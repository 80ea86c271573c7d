import { expect } from "chai";
import { newId } from "../../../src/core/model/ids.ts";
import { Role } from "../../../src/core/model/staff/staff.entity.ts";
import { codesOf } from "../../support/browser/browser.ts";
import { useWorld, type Variables } from "../../support/world.ts";

const EXPLAIN = `query ($shopId: ID!, $id: ID!, $recordId: ID!) { shop(id: $shopId) { webhookEndpoint(id: $id) {
  explain(recordId: $recordId) { topic changed actorName reason delivery { id status waitsFor error attemptCount fetchedByName lastAttemptAt acknowledgedAt attempts { id } } } } } }`;

interface Explained {
  topic: string;
  reason: string | null;
  delivery: Record<string, string>;
}

describe("Why an endpoint gets an event or not", () => {
  const world = useWorld();
  const { ask, run, sql, staff } = world;
  let productId: string;

  beforeEach(async () => {
    productId = (await run("createProduct", { input: { title: "Mug", variants: [{ price: "1" }] } })).id;
  });

  const create = async (input: Variables = {}): Promise<string> =>
    (await run("createPullEndpoint", { input: { topics: ["product.updated", "product.deleted"], ...input } })).id;
  const explain = (id: string, recordId = productId) => ask(EXPLAIN, { id, recordId });
  const explained = async (id: string): Promise<Explained[]> =>
    (await explain(id)).data.shop.webhookEndpoint.explain as Explained[];
  const reasonsOf = async (id: string) => (await explained(id)).map(({ topic, reason }) => [topic, reason]);
  const rename = (title: string) => run("updateProduct", { id: productId, input: { title } });

  it("names what left an event out, newest first", async () => {
    const later = [["product.created", "ADDED_LATER"]];
    const all = await create();
    const deletions = await create({ topics: ["product.deleted"] });
    const prices = await create({ fields: ["product.updated.price"] });
    const others = await create({ ignoredActorIds: [staff.id] });
    await rename("Jug");
    const [change] = await explained(all);
    expect(change).to.deep.include({ topic: "product.updated", reason: null, actorName: staff.email });
    expect(change).to.deep.include({ changed: ["title"] });
    for (const [id, reason] of [
      [all, null],
      [deletions, "NOT_SUBSCRIBED"],
      [prices, "OTHER_FIELDS"],
      [others, "IGNORED_ACTOR"],
    ] as const) {
      expect(await reasonsOf(id), String(reason)).to.deep.equal([["product.updated", reason], ...later]);
    }
    await run("updateWebhookEndpoint", { id: prices, input: { fields: [] } });
    expect(await reasonsOf(prices)).to.deep.equal([["product.updated", "OTHER_SETTINGS"], ...later]);
    await run("createProduct", { input: { title: "Bowl", variants: [{ price: "1" }] } });
    expect(await explained(all)).to.have.length(2);
  });

  it("shows the delivery of an event that came, waits or failed", async () => {
    const id = await create();
    await rename("Jug");
    const delivery = async () => (await explained(id))[0]!.delivery;
    expect(await delivery()).to.include({ status: "PENDING", waitsFor: "RECEIVER", fetchedByName: null });
    await run("updateWebhookEndpoint", { id, input: { paused: true } });
    expect(await delivery()).to.include({ status: "PENDING", waitsFor: "PAUSED_ENDPOINT" });
    await run("updateWebhookEndpoint", { id, input: { paused: false } });
    const [event] = await run("receiveEvents", { endpointId: id });
    expect(await delivery()).to.include({ status: "PENDING", attemptCount: 1, fetchedByName: staff.email });
    await run("acknowledgeEvents", { endpointId: id, ids: [event.id] });
    const { lastAttemptAt = "", acknowledgedAt = "", ...done } = await delivery();
    expect(done).to.deep.include({ status: "SUCCEEDED", attemptCount: 1, fetchedByName: staff.email, attempts: [] });
    expect(Date.parse(acknowledgedAt)).to.be.at.least(Date.parse(lastAttemptAt));
    await run("replayDelivery", { id: event.id });
    expect(await delivery()).to.include({ status: "PENDING", fetchedByName: null, acknowledgedAt: null });
    await sql("update webhook_endpoints set disabled_at = now(), disabled_reason = 'GONE' where shop_id = $1");
    await rename("Cup");
    expect(await delivery()).to.include({ status: "FAILED", error: "The endpoint is disabled" });
  });

  it("searches the events of the shop alone, for readers of the log", async () => {
    const id = await create();
    expect(await explain(id, newId("prod"))).to.deep.include({ errors: [] });
    for (const recordId of ["", "prod_1", newId("var"), id, world.shop.id]) {
      expect(codesOf(await explain(id, recordId)), recordId).to.deep.equal(["VALIDATION_FAILED"]);
    }
    const clerk = await world.as(Role.CLERK);
    expect(codesOf(await clerk.ask(EXPLAIN, { id, recordId: productId }))).to.deep.equal(["FORBIDDEN"]);
    await world.open();
    const other = await create();
    expect(await explained(other)).to.deep.equal([]);
  });
});
