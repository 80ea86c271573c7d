import { expect } from "chai";
import { createSchema } from "../../../src/core/schema.ts";
import type { SendJob } from "../../../src/core/webhooks/jobs/send-jobs.sql.ts";
import { topics } from "../../../src/core/model/webhooks/topics.ts";
import { scenarios } from "../../support/webhooks/event-scenarios/index.ts";
import { Scene, type Scenario, type Variables } from "../../support/webhooks/event-scenarios/scene.ts";
import { eventsSince, type RecordedEvent } from "../../support/webhooks/events.ts";
import { whileCommitsFail } from "../../support/postgres/failing-commits.ts";
import { buildShop, buildStaff, type TestStaff } from "../../support/factories.ts";
import { logIn, type GraphqlAnswer } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { changedResources, newRows, readShopRows, resources, type ShopRows } from "../../support/postgres/shop-rows.ts";

const schema = createSchema();
const mutations = Object.values(schema.getMutationType()!.getFields()).map(({ name, extensions }) => ({
  name,
  emits: (extensions.emits ?? []) as string[],
}));

describe("The events of mutations", () => {
  const server = useServer();
  let owner: TestStaff;
  let session: { cookie: string };

  before(async () => {
    owner = await buildStaff(server.em, await buildShop(server.em));
    session = await logIn(server, owner);
  });

  it("are tested for every mutation", () => {
    expect(Object.keys(scenarios).toSorted()).to.deep.equal(mutations.map(({ name }) => name).toSorted());
  });

  for (const { name, emits } of mutations) {
    const own = scenarios[name] ?? [];

    describe(name, () => {
      it("emits exactly what it declares over all scenarios", () => {
        const emitted = new Set(own.flatMap((scenario) => scenario.emits ?? []));
        expect([...emitted].toSorted()).to.deep.equal(emits.toSorted());
        const isSilentOnce = own.some(({ unchanged }) => unchanged);
        expect(isSilentOnce || emits.length === 0, "has a scenario in which nothing changes").to.equal(true);
      });

      for (const scenario of own) {
        if (scenario.unchanged) itChangesNothing(name, scenario);
        else itEmits(name, scenario, scenario.emits);
        if (scenario.emits?.length) itIsUndone(name, scenario, scenario.emits);
      }
    });
  }

  /** A new shop in which the mutation can run, and its stored rows. */
  async function begin({ given }: Scenario): Promise<{ scene: Scene; variables: Variables; before: ShopRows }> {
    const scene = await Scene.open({ server, owner, session });
    const variables = await given(scene);
    await eventsSince(server, scene.shop);
    return { scene, variables, before: await readShopRows(server, scene.shop) };
  }

  function itChangesNothing(name: string, scenario: Scenario): void {
    it(`changes nothing, ${scenario.when}`, async () => {
      const { scene, variables, before } = await begin(scenario);
      expect(codesOf(await scene.ask(name, variables))).to.deep.equal(scenario.refused ?? []);
      expect(await readShopRows(server, scene.shop)).to.deep.equal(before);
    });
  }

  function itEmits(name: string, scenario: Scenario, expected: readonly string[]): void {
    it(`emits ${expected.join(", ") || "nothing"}, ${scenario.when}`, async () => {
      const { scene, variables, before } = await begin(scenario);
      expect(codesOf(await scene.ask(name, variables))).to.deep.equal(scenario.refused ?? []);
      await expectEvents(scene, before, expected);
    });
  }

  function itIsUndone(name: string, scenario: Scenario, expected: readonly string[]): void {
    it(`changes nothing if storing the event fails, and can be repeated, ${scenario.when}`, async () => {
      const { scene, variables, before } = await begin(scenario);
      const failed = await whileCommitsFail(server.databaseUrl, "events", () => scene.ask(name, variables));
      expect(codesOf(failed)).to.deep.equal(["INTERNAL_SERVER_ERROR"]);
      expect(await readShopRows(server, scene.shop)).to.deep.equal(before);
      expect(codesOf(await scene.ask(name, variables))).to.deep.equal(scenario.refused ?? []);
      await expectEvents(scene, before, expected);
    });
  }

  async function expectEvents(scene: Scene, before: ShopRows, expected: readonly string[]): Promise<void> {
    const events = await eventsSince(server, scene.shop);
    expect(events.map(({ topic }) => topic).toSorted()).to.deep.equal(expected.toSorted());
    const after = await readShopRows(server, scene.shop);
    for (const { topic, data } of events) expect(data).to.deep.equal(topics[topic].data.parse(data));
    expect(describeEvents(events)).to.deep.equal(expectedEvents(before, after));
    expectVersions(events, before, after);
    expectBodies(before, after);
    expectDeliveries(before, after);
  }
});

/** The error codes of the response and of its items. */
function codesOf({ data, errors }: GraphqlAnswer): string[] {
  const results: unknown[] = Object.values<unknown>(data ?? {})
    .filter(Array.isArray)
    .flat();
  const ofItems = (results as { error: { code: string } | null }[]).flatMap(({ error }) => error?.code ?? []);
  return [...errors.map(({ extensions }) => extensions.code), ...ofItems];
}

/** The topics and data of the events, without repetitions. */
function describeEvents(events: RecordedEvent[]): string[] {
  const kinds: Record<string, string> = { created: "created", deleted: "deleted" };
  const described = events.map(({ topic, data: { version: _, ...data } }) => {
    const [resource, verb] = topic.split(".") as [string, string];
    // Two events describe a new order that is paid.
    const isNew = events.some((other) => other.topic === `${resource}.created` && sameOrder(other.data, data));
    return `${resource} ${isNew ? "created" : (kinds[verb] ?? "changed")}: ${JSON.stringify(data)}`;
  });
  return [...new Set(described)].toSorted();
}

function sameOrder(one: Record<string, unknown>, other: Record<string, unknown>): boolean {
  return one.orderId !== undefined && one.orderId === other.orderId;
}

/** The expected data of the events, from the stored rows. */
function expectedEvents(before: ShopRows, after: ShopRows): string[] {
  // A refund of 0 only returns units, which the order's other events describe.
  const refunds = new Map(
    newRows(before, after, "refunds")
      .filter(({ amount }) => Number(amount) > 0)
      .map((row) => [row.order_id, row]),
  );
  return resources
    .flatMap((resource) =>
      [...changedResources(before, after, resource)].flatMap(([id, { kind, row }]) => {
        const refund = refunds.get(id);
        const order = { orderId: id, orderNumber: row.order_number };
        const refunded = refund && { ...order, refundId: refund.id, amount: refund.amount, currency: refund.currency };
        const data = {
          product: [{ productId: id, handle: row.handle }],
          // The last refund may end the order, with two events.
          order: [...(refunded ? [refunded] : []), ...(!refunded || isCancelled(before, row) ? [order] : [])],
          customer: [{ customerId: id }],
        }[resource];
        return data.map((one) => `${resource} ${kind}: ${JSON.stringify(one)}`);
      }),
    )
    .toSorted();
}

/** True for an order that the change cancelled. */
function isCancelled(before: ShopRows, { id, status }: ShopRows[string][number]): boolean {
  return status === "CANCELLED" && before.orders!.find((one) => one.id === id)?.status !== "CANCELLED";
}

/** The versions of a record's events increase, and the last one is stored. */
function expectVersions(events: RecordedEvent[], before: ShopRows, after: ShopRows): void {
  for (const resource of resources) {
    for (const [id, { kind, row }] of changedResources(before, after, resource)) {
      const versions = events
        .filter(({ data }) => data[`${resource}Id`] === id)
        .map(({ topic, data }) => (topic === "order.created" ? 1 : Number(data.version)));
      const known = (before[`${resource}s`] ?? []).find((one) => one.id === id)?.version ?? 0;
      const last = kind === "deleted" ? Number(row.version) + 1 : row.version;
      for (const [index, version] of versions.entries()) {
        expect(version).to.be.greaterThan(index === 0 ? Number(known) : versions[index - 1]!);
      }
      expect(versions.at(-1), `${resource} ${kind}`).to.equal(last);
    }
  }
}

function expectBodies(before: ShopRows, after: ShopRows): void {
  for (const event of newRows(before, after, "events")) {
    const { id, topic, shop_id: shopId, created_at: createdAt } = event;
    const body = JSON.parse(event.body as string) as Record<string, unknown>;
    const instant = new Date(createdAt as string).toISOString();
    expect(body).to.deep.equal({ id, topic, shopId, createdAt: instant, data: body.data });
    expect(Object.keys(body)).to.deep.equal(["id", "topic", "shopId", "createdAt", "data"]);
  }
}

/** The shop's one endpoint receives each event once, and each delivery has a job. */
function expectDeliveries(before: ShopRows, after: ShopRows): void {
  const events = newRows(before, after, "events").map(({ id }) => id as string);
  const deliveries = newRows(before, after, "deliveries");
  const endpoints = new Set((after.webhook_endpoints ?? []).map(({ id }) => id));
  // A job fails the pending deliveries of a deleted endpoint.
  const woken = newRows(before, after, "jobs")
    .map(({ payload }) => (payload as SendJob).endpointId)
    .filter((id) => endpoints.has(id));
  expect(deliveries.map((row) => row.event_id as string).toSorted()).to.deep.equal(events.toSorted());
  const known = new Set((before.outstanding_deliveries ?? []).map((row) => JSON.stringify(row)));
  const changed = (after.outstanding_deliveries ?? []).filter((row) => !known.has(JSON.stringify(row)));
  expect(woken.toSorted()).to.deep.equal(changed.map((row) => row.endpoint_id as string).toSorted());
}
