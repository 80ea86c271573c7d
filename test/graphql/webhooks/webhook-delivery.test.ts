import { expect } from "chai";
import type { WebhookEndpoint } from "../../../src/core/model/webhooks/webhook-endpoint.entity.ts";
import { newId } from "../../../src/core/model/ids.ts";
import { buildAttempts, buildDelivery } from "../../support/webhooks/deliveries.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { useWorld } from "../../support/world.ts";

const day = (number: number) => new Date(Date.UTC(2026, 0, number));

describe("A webhook delivery by its id", () => {
  const { server, shop, run, sql } = useWorld();
  const find = (id: string) => run("webhookDelivery", { id });
  let endpoint: WebhookEndpoint;

  beforeEach(async () => {
    ({ endpoint } = await buildEndpoint(server, shop, "https://receiver.example/a"));
  });

  it("shows the body, the result and each attempt", async () => {
    const body = '{"id":"evt_x","data":{"handle":"mug — \\"é\\""}}';
    const delivery = await buildDelivery(server.em, endpoint, {
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
    await sql(
      `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, response_status, error_class,
          error, response_body, request_headers, response_headers, dns_ms, connect_ms, tls_ms, first_byte_ms, total_ms)
        values ($1, $3, $2, 1, true, $5, 503, 'HTTP_STATUS', 'HTTP 503', 'Busy',
            '[["webhook-signature", "v1,x"], ["authorization", "***"]]', '[["via", "a"], ["via", "b"]]', 1.5, 2.25, 3.125, 10.5, 11),
          ($1, $4, $2, 1, false, $6, null, 'DNS', 'The host name does not exist', null, null, null, 600, null, null, null, 601.5)`,
      delivery.id,
      second,
      first,
      day(2),
      day(1),
    );
    const { endpoint: shown, ...found } = await find(delivery.id);
    expect(shown).to.include({ id: endpoint.id, url: "https://receiver.example/a" });
    expect(found).to.deep.include({
      id: delivery.id,
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
          error: "The host name does not exist",
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

  it("shows the newest fifty attempts, oldest first", async () => {
    const [one, other] = [await buildDelivery(server.em, endpoint), await buildDelivery(server.em, endpoint)];
    await buildAttempts(server.databaseUrl, one, 53, day(1));
    await buildAttempts(server.databaseUrl, other, 1, day(1));
    const totals = (await find(one.id)).attempts.map(({ totalMs }: { totalMs: number }) => totalMs);
    expect(totals).to.deep.equal(Array.from({ length: 50 }, (_, index) => index + 4));
    expect((await find(other.id)).attempts).to.have.length(1);
  });
});
