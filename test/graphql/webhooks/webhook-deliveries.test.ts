import { expect } from "chai";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import type { WebhookEndpoint } from "../../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { query } from "../../support/database.ts";
import { buildDelivery, buildManyDeliveries } from "../../support/webhooks/deliveries.ts";
import { documentOf } from "../../support/graphql.ts";
import { buildEndpoint, buildShop } from "../../support/factories.ts";
import { codeOf, issuesOf } from "../../support/requests/refusals.ts";
import { useWorld } from "../../support/world.ts";

/** The ids alone, since whole deliveries cost too much. */
const LIST = documentOf("webhookDeliveries").replace(/items \{.*\} nextCursor/, "items { id } nextCursor");

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe("Webhook deliveries", () => {
  const { server, shop, ask, sql } = useWorld();
  let endpoints: WebhookEndpoint[];

  beforeEach(async () => {
    endpoints = [];
    for (const path of ["a", "b"]) {
      endpoints.push((await buildEndpoint(server, shop, `https://receiver.example/${path}`)).endpoint);
    }
  });

  async function list(variables: Record<string, unknown> = {}) {
    const { data, errors } = await ask(LIST, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    const { items, total, nextCursor } = data.shop.webhookDeliveries;
    return { ids: items.map(({ id }: { id: string }) => id) as string[], total, nextCursor };
  }

  describe("in a list", () => {
    /** By a digit each, in the order of their creation; 3 to 5 happened at once. */
    let ids: string[];
    let eventIds: string[];
    const digits = (found: string[]) => found.map((id) => ids.indexOf(id)).join("");

    beforeEach(async () => {
      ids = [];
      eventIds = [];
      for (const [endpoint, topic, status, createdAt, errorClass = null] of [
        [0, "order.paid", "SUCCEEDED", day(1)],
        [0, "product.created", "FAILED", day(2), "TIMEOUT"],
        [1, "product.created", "SUCCEEDED", day(2)],
        [1, "order.paid", "PENDING", day(3), "TIMEOUT"],
        [0, "product.created", "SUCCEEDED", day(3)],
        [1, "product.created", "SUCCEEDED", day(3)],
        [0, "product.created", "PENDING", day(4), "DNS"],
      ] as const) {
        const overrides = { topic, status: DeliveryStatus[status], createdAt, errorClass };
        const { id, eventId } = await buildDelivery(server.em, endpoints[endpoint]!, overrides);
        ids.push(id);
        eventIds.push(eventId);
      }
      const foreign = await buildEndpoint(server, await buildShop(server.em), "https://other.example/");
      await buildDelivery(server.em, foreign.endpoint, { createdAt: day(3) });
    });

    it("contain only the shop's own, newest first, with the total", async () => {
      const { ids: found, ...page } = await list();
      expect(digits(found)).to.equal("6543210");
      expect(page).to.deep.equal({ total: 7, nextCursor: null });
    });

    for (const order of ["ASC", "DESC"]) {
      it(`are complete by page and by cursor, ${order}`, async () => {
        const expected = order === "ASC" ? "0123456" : "6543210";
        const pages = [];
        for (const page of [1, 2, 3, 4, 5]) pages.push(...(await list({ order, page, limit: 2 })).ids);
        expect(digits(pages)).to.equal(expected);
        for (const limit of [1, 2, 3]) {
          const found: string[] = [];
          let after: string | null = null;
          do {
            const page: Awaited<ReturnType<typeof list>> = await list({ order, after, limit });
            expect(page.total).to.equal(7);
            found.push(...page.ids);
            after = page.nextCursor;
          } while (after !== null);
          expect(digits(found)).to.equal(expected);
        }
      });
    }

    it("are filtered and counted by each filter", async () => {
      const [{ id: first }, { id: second }] = endpoints as [WebhookEndpoint, WebhookEndpoint];
      for (const [filter, expected] of [
        [{ endpointId: first }, "6410"],
        [{ topic: "order.paid" }, "30"],
        [{ topic: "customer.created" }, ""],
        [{ topic: "nonsense" }, ""],
        [{ topic: "" }, ""],
        [{ statuses: ["FAILED"] }, "1"],
        [{ statuses: ["PENDING"] }, "63"],
        [{ statuses: ["SUCCEEDED"] }, "5420"],
        [{ statuses: ["PENDING", "FAILED"] }, "631"],
        [{ statuses: ["SUCCEEDED", "FAILED", "SUCCEEDED"] }, "54210"],
        [{ statuses: ["PENDING", "SUCCEEDED", "FAILED"] }, "6543210"],
        [{ errorClass: "TIMEOUT" }, "31"],
        [{ errorClass: "DNS" }, "6"],
        [{ errorClass: "TLS" }, ""],
        [{ errorClass: "TIMEOUT", statuses: ["PENDING"] }, "3"],
        [{ errorClass: "TIMEOUT", statuses: ["SUCCEEDED", "FAILED"], endpointId: first }, "1"],
        [{ errorClass: "TIMEOUT", statuses: ["SUCCEEDED"] }, ""],
        [{ errorClass: "TIMEOUT", topic: "order.paid" }, "3"],
        [{ eventId: eventIds[0] }, "0"],
        [{ eventId: eventIds[3] }, "3"],
        [{ eventId: eventIds[3], statuses: ["PENDING"], errorClass: "TIMEOUT", endpointId: second }, "3"],
        [{ eventId: eventIds[3], statuses: ["SUCCEEDED", "FAILED"] }, ""],
        [{ eventId: eventIds[0], statuses: ["SUCCEEDED"], createdSince: day(1) }, "0"],
        [{ eventId: eventIds[0], errorClass: "TIMEOUT" }, ""],
        [{ eventId: newId("evt") }, ""],
        [{ eventId: "nonsense" }, ""],
        [{ createdSince: day(3).toISOString() }, "6543"],
        [{ createdBefore: day(3).toISOString() }, "210"],
        [{ createdSince: day(2).toISOString(), createdBefore: day(4).toISOString() }, "54321"],
        [{ createdSince: day(4).toISOString(), createdBefore: day(2).toISOString() }, ""],
        [{ endpointId: second, topic: "product.created" }, "52"],
        [{ endpointId: second, topic: "product.created", statuses: ["SUCCEEDED"], createdSince: day(3) }, "5"],
        [
          { endpointId: null, eventId: null, topic: null, statuses: null, errorClass: null, createdSince: null },
          "6543210",
        ],
        [{ endpointId: newId("whe") }, ""],
        [{ endpointId: "nonsense" }, ""],
      ] as const) {
        const found = await list(filter);
        expect(digits(found.ids), JSON.stringify(filter)).to.equal(expected);
        expect(found.total, JSON.stringify(filter)).to.equal(expected.length);
      }
    });

    it("of one event contain those of each endpoint, including deleted ones", async () => {
      const [first, second] = endpoints as [WebhookEndpoint, WebhookEndpoint];
      const [eventId] = eventIds;
      const other = await buildDelivery(server.em, second, { createdAt: day(1) });
      for (const name of ["deliveries", "outstanding_deliveries"]) {
        await sql(`update ${name} set event_id = $2 where shop_id = $1 and id = $3`, eventId, other.id);
      }
      const both = [ids[0], other.id].toSorted().toReversed();
      expect(await list({ eventId })).to.deep.equal({ ids: both, total: 2, nextCursor: null });
      const { nextCursor: after, ...page } = await list({ eventId, limit: 1 });
      expect(page).to.deep.equal({ ids: both.slice(0, 1), total: 2 });
      expect((await list({ eventId, limit: 1, after })).ids).to.deep.equal(both.slice(1));
      expect((await list({ eventId, limit: 1, page: 2 })).ids).to.deep.equal(both.slice(1));
      await query(server.databaseUrl, "delete from webhook_endpoints where id = $1", [first.id]);
      expect(await list({ eventId })).to.deep.equal({ ids: both, total: 2, nextCursor: null });
    });

    it("of a foreign event or endpoint are empty", async () => {
      const { endpoint } = await buildEndpoint(server, await buildShop(server.em), "https://other.example/");
      const { eventId } = await buildDelivery(server.em, endpoint);
      const none = { ids: [], total: 0, nextCursor: null };
      for (const filter of [{ eventId }, { endpointId: endpoint.id }]) expect(await list(filter)).to.deep.equal(none);
    });

    it("refuse invalid pages and texts, and foreign cursors", async () => {
      const { nextCursor: after } = await list({ limit: 2 });
      const forged = Buffer.from(JSON.stringify(["deliveries created_at desc", "nonsense", "x"])).toString("base64url");
      for (const [variables, issue] of [
        [{ page: 0 }, "page too_small"],
        [{ limit: 251 }, "limit too_big"],
        [{ page: 1, after }, "after invalid_value"],
        [{ after: forged }, "after invalid_value"],
        [{ after, order: "ASC" }, "after invalid_value"],
        [{ topic: "order.\0" }, "topic invalid_text"],
        [{ topic: "\ud800" }, "topic invalid_text"],
        [{ topic: "x".repeat(256) }, "topic too_big"],
        [{ endpointId: "whe_\0" }, "endpointId invalid_text"],
        [{ eventId: "evt_\0" }, "eventId invalid_text"],
        [{ statuses: [] }, "statuses too_small"],
        [{ statuses: Array(251).fill("FAILED") }, "statuses too_big"],
      ] as const) {
        const answer = await ask(LIST, variables);
        expect(codeOf(answer), JSON.stringify(variables)).to.equal("VALIDATION_FAILED");
        expect(issuesOf(answer)).to.deep.equal([issue]);
      }
      for (const variables of [
        { statuses: ["SENT"] },
        { statuses: [null] },
        { errorClass: "BAD_LUCK" },
        { createdSince: "yesterday" },
        { topic: 1 },
        { endpointId: [1, 2] },
      ]) {
        expect((await ask(LIST, variables)).status, JSON.stringify(variables)).to.equal(400);
      }
    });
  });

  it("are counted up to ten thousand, with any filter", async () => {
    await buildManyDeliveries(server.databaseUrl, endpoints[0]!, 6_000, DeliveryStatus.SUCCEEDED);
    await buildManyDeliveries(server.databaseUrl, endpoints[0]!, 3_999, DeliveryStatus.FAILED);
    expect((await list()).total).to.equal(9_999);
    await buildManyDeliveries(server.databaseUrl, endpoints[1]!, 2, DeliveryStatus.SUCCEEDED);
    const answer = await list({ limit: 1 });
    expect(answer.total).to.equal(10_000);
    expect(answer.nextCursor).to.be.a("string");
    expect((await list({ endpointId: endpoints[1]!.id })).total).to.equal(2);
  });
});
