import { expect } from "chai";
import type { Shop } from "../../src/core/shops/shop.entity.ts";
import { DeliveryStatus } from "../../src/core/webhooks/event.entity.ts";
import type { WebhookEndpoint } from "../../src/core/webhooks/webhook-endpoint.entity.ts";
import { newId } from "../../src/platform/ids.ts";
import { query } from "../support/database.ts";
import { buildAttempts, buildDelivery, buildManyDeliveries } from "../support/deliveries.ts";
import { buildEndpoint, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn, type GraphqlAnswer } from "../support/graphql.ts";
import { codeOf, issuesOf } from "../support/refusals.ts";
import { useServer } from "../support/server.ts";

const LIST = `query ($shopId: ID!, $page: Int, $after: String, $limit: Int! = 50, $order: SortOrder! = DESC,
  $endpointId: ID, $topic: String, $status: WebhookDeliveryStatus, $createdSince: Timestamp, $createdBefore: Timestamp) {
  shop(id: $shopId) { webhookDeliveries(page: $page, after: $after, limit: $limit, order: $order,
    endpointId: $endpointId, topic: $topic, status: $status, createdSince: $createdSince, createdBefore: $createdBefore
  ) { total nextCursor items { id } } } }`;
const ONE = `query ($shopId: ID!, $id: ID!) { shop(id: $shopId) { webhookDelivery(id: $id) {
  id endpoint { id url } eventId topic body status attemptCount createdAt lastAttemptAt nextAttemptAt
  responseStatus errorClass error attempts {
    id startedAt isProbe responseStatus errorClass error responseBody requestHeaders { name value } responseHeaders { name value } dnsMs connectMs tlsMs firstByteMs totalMs
  } } } }`;

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe("Webhook deliveries", () => {
  const server = useServer();
  let shop: Shop;
  let session: { cookie: string };
  let endpoints: WebhookEndpoint[];

  beforeEach(async () => {
    shop = await buildShop(server.em);
    session = await logIn(server, await buildStaff(server.em, shop));
    endpoints = [];
    for (const path of ["a", "b"]) {
      endpoints.push((await buildEndpoint(server, shop, `https://receiver.example/${path}`)).endpoint);
    }
  });

  const ask = (document: string, variables: Record<string, unknown> = {}): Promise<GraphqlAnswer> =>
    askGraphql(server, document, { shopId: shop.id, ...variables }, session);

  async function list(variables: Record<string, unknown> = {}) {
    const { data, errors } = await ask(LIST, variables);
    expect(errors, JSON.stringify(errors)).to.deep.equal([]);
    const { items, total, nextCursor } = data.shop.webhookDeliveries;
    return { ids: items.map(({ id }: { id: string }) => id) as string[], total, nextCursor };
  }

  describe("in a list", () => {
    /** By a digit each, in the order of their creation; 3 to 5 happened at once. */
    let ids: string[];
    const digits = (found: string[]) => found.map((id) => ids.indexOf(id)).join("");

    beforeEach(async () => {
      ids = [];
      for (const [endpoint, topic, status, createdAt] of [
        [0, "order.paid", "SUCCEEDED", day(1)],
        [0, "product.created", "FAILED", day(2)],
        [1, "product.created", "SUCCEEDED", day(2)],
        [1, "order.paid", "PENDING", day(3)],
        [0, "product.created", "SUCCEEDED", day(3)],
        [1, "product.created", "SUCCEEDED", day(3)],
        [0, "product.created", "PENDING", day(4)],
      ] as const) {
        const overrides = { topic, status: DeliveryStatus[status], createdAt };
        ids.push((await buildDelivery(server.em, endpoints[endpoint]!, overrides)).id);
      }
      const foreign = await buildEndpoint(server, await buildShop(server.em), "https://other.example/");
      await buildDelivery(server.em, foreign.endpoint, { createdAt: day(3) });
    });

    it("are the shop's own, newest first, with the number of all", async () => {
      const { ids: found, ...page } = await list();
      expect(digits(found)).to.equal("6543210");
      expect(page).to.deep.equal({ total: 7, nextCursor: null });
    });

    for (const order of ["ASC", "DESC"]) {
      it(`are whole by page and by cursor, ${order}`, async () => {
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

    it("are narrowed by each filter, and counted", async () => {
      const [{ id: first }, { id: second }] = endpoints as [WebhookEndpoint, WebhookEndpoint];
      for (const [filter, expected] of [
        [{ endpointId: first }, "6410"],
        [{ topic: "order.paid" }, "30"],
        [{ topic: "customer.created" }, ""],
        [{ topic: "nonsense" }, ""],
        [{ topic: "" }, ""],
        [{ status: "FAILED" }, "1"],
        [{ status: "PENDING" }, "63"],
        [{ createdSince: day(3).toISOString() }, "6543"],
        [{ createdBefore: day(3).toISOString() }, "210"],
        [{ createdSince: day(2).toISOString(), createdBefore: day(4).toISOString() }, "54321"],
        [{ createdSince: day(4).toISOString(), createdBefore: day(2).toISOString() }, ""],
        [{ endpointId: second, topic: "product.created" }, "52"],
        [{ endpointId: second, topic: "product.created", status: "SUCCEEDED", createdSince: day(3) }, "5"],
        [{ endpointId: null, topic: null, status: null, createdSince: null }, "6543210"],
        [{ endpointId: newId("whe") }, ""],
        [{ endpointId: "nonsense" }, ""],
      ] as const) {
        const found = await list(filter);
        expect(digits(found.ids), JSON.stringify(filter)).to.equal(expected);
        expect(found.total, JSON.stringify(filter)).to.equal(expected.length);
      }
    });

    it("of another shop's endpoint are as those of none", async () => {
      const foreign = await buildEndpoint(server, await buildShop(server.em), "https://other.example/");
      await buildDelivery(server.em, foreign.endpoint);
      expect(await list({ endpointId: foreign.endpoint.id })).to.deep.equal({ ids: [], total: 0, nextCursor: null });
    });

    it("refuse what is no page, no text, and cursors that are not theirs", async () => {
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
      ] as const) {
        const answer = await ask(LIST, variables);
        expect(codeOf(answer), JSON.stringify(variables)).to.equal("VALIDATION_FAILED");
        expect(issuesOf(answer)).to.deep.equal([issue]);
      }
      for (const variables of [
        { status: "SENT" },
        { createdSince: "yesterday" },
        { topic: 1 },
        { endpointId: [1, 2] },
      ]) {
        expect((await ask(LIST, variables)).status, JSON.stringify(variables)).to.equal(400);
      }
    });
  });

  it("are counted to ten thousand, whatever narrows them, and no further", async () => {
    await buildManyDeliveries(server.databaseUrl, endpoints[0]!, 6_000, DeliveryStatus.SUCCEEDED);
    await buildManyDeliveries(server.databaseUrl, endpoints[0]!, 3_999, DeliveryStatus.FAILED);
    expect((await list()).total).to.equal(9_999);
    await buildManyDeliveries(server.databaseUrl, endpoints[1]!, 2, DeliveryStatus.SUCCEEDED);
    const answer = await list({ limit: 1 });
    expect(answer.total).to.equal(10_000);
    expect(answer.nextCursor).to.be.a("string");
    expect((await list({ endpointId: endpoints[1]!.id })).total).to.equal(2);
  });

  describe("by their id", () => {
    it("tell what is sent, what came of it, and of each attempt", async () => {
      const body = '{"id":"evt_x","data":{"handle":"mug — \\"é\\""}}';
      const delivery = await buildDelivery(server.em, endpoints[0]!, {
        topic: "order.paid",
        body,
        attempts: 2,
        responseStatus: 503,
        errorClass: "HTTP_STATUS",
        error: "HTTP 503",
        createdAt: day(1),
        attemptedAt: day(2),
        nextAttemptAt: day(3),
      });
      const [first, second] = [newId("att"), newId("att")];
      await query(
        server.databaseUrl,
        `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class,
          error, response_body, request_headers, response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
        values ($1, $3, $2, 1, true, $5, 503, 'HTTP_STATUS', 'HTTP 503', 'Busy',
            '[["webhook-signature", "v1,x"], ["authorization", "***"]]', '[["via", "a"], ["via", "b"]]', 1.5, 2.25, 3.125, 10.5, 11),
          ($1, $4, $2, 1, false, $6, null, 'DNS', 'ENOTFOUND', null, null, null, 600, null, null, null, 601.5)`,
        [shop.id, delivery.id, second, first, day(2), day(1)],
      );
      const { data, errors } = await ask(ONE, { id: delivery.id });
      expect(errors).to.deep.equal([]);
      expect(data.shop.webhookDelivery).to.deep.equal({
        id: delivery.id,
        endpoint: { id: endpoints[0]!.id, url: "https://receiver.example/a" },
        eventId: delivery.eventId,
        topic: "order.paid",
        body,
        status: "PENDING",
        attemptCount: 2,
        createdAt: day(1).toISOString(),
        lastAttemptAt: day(2).toISOString(),
        nextAttemptAt: day(3).toISOString(),
        responseStatus: 503,
        errorClass: "HTTP_STATUS",
        error: "HTTP 503",
        attempts: [
          {
            id: first,
            startedAt: day(1).toISOString(),
            isProbe: false,
            responseStatus: null,
            errorClass: "DNS",
            error: "ENOTFOUND",
            responseBody: null,
            requestHeaders: null,
            responseHeaders: null,
            dnsMs: 600,
            connectMs: null,
            tlsMs: null,
            firstByteMs: null,
            totalMs: 601.5,
          },
          {
            id: second,
            startedAt: day(2).toISOString(),
            isProbe: true,
            responseStatus: 503,
            errorClass: "HTTP_STATUS",
            error: "HTTP 503",
            responseBody: "Busy",
            requestHeaders: [
              { name: "content-type", value: "application/json" },
              { name: "user-agent", value: "MerchantAPI-Webhooks/1.0" },
              { name: "x-webhook-topic", value: "order.paid" },
              { name: "webhook-id", value: delivery.eventId },
              { name: "webhook-timestamp", value: String(day(2).getTime() / 1_000) },
              { name: "webhook-signature", value: "v1,x" },
              { name: "authorization", value: "***" },
            ],
            responseHeaders: [
              { name: "via", value: "a" },
              { name: "via", value: "b" },
            ],
            dnsMs: 1.5,
            connectMs: 2.25,
            tlsMs: 3.125,
            firstByteMs: 10.5,
            totalMs: 11,
          },
        ],
      });
    });

    it("tell of the newest fifty attempts, oldest first", async () => {
      const [one, other] = [
        await buildDelivery(server.em, endpoints[0]!),
        await buildDelivery(server.em, endpoints[0]!),
      ];
      await buildAttempts(server.databaseUrl, one, 53, day(1));
      await buildAttempts(server.databaseUrl, other, 1, day(1));
      const { data } = await ask(ONE, { id: one.id });
      const totals = data.shop.webhookDelivery.attempts.map(({ totalMs }: { totalMs: number }) => totalMs);
      expect(totals).to.deep.equal(Array.from({ length: 50 }, (_, index) => index + 4));
      expect((await ask(ONE, { id: other.id })).data.shop.webhookDelivery.attempts).to.have.length(1);
    });

    it("are null when the shop has none by the id, be it another's", async () => {
      const foreign = await buildEndpoint(server, await buildShop(server.em), "https://other.example/");
      const { id: foreignId } = await buildDelivery(server.em, foreign.endpoint);
      for (const id of [foreignId, newId("whd"), endpoints[0]!.id, "nonsense", "", "whd_\0", "\ud800"]) {
        const { data, errors } = await ask(ONE, { id });
        expect(errors, id).to.deep.equal([]);
        expect(data.shop.webhookDelivery, id).to.equal(null);
      }
    });
  });
});
