import { expect } from "chai";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { query } from "../../support/database.ts";
import { buildCountedHour, buildDelivery, buildManyDeliveries } from "../../support/webhooks/deliveries.ts";
import { eventually } from "../../support/eventually.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { useWebhookShop } from "../../support/webhooks/webhook-shop.ts";
import { useWorld } from "../../support/world.ts";

const since = "2026-01-10T09:30:00.000Z";
const fiveDaysLater = "2026-01-15T09:30:00.000Z";
const later = "2026-01-11T09:30:00.000Z";
const nothing = {
  failingTopics: [],
  failingSince: null,
  nextProbeAt: null,
  disablesAt: null,
  disabledAt: null,
  disabledReason: null,
};

describe("The health of webhook endpoints", () => {
  const { server, shop, run, sql } = useWorld();

  async function health() {
    const endpoints: { health: Record<string, unknown> }[] = await run("webhookEndpoints");
    return endpoints.map((endpoint) => endpoint.health);
  }

  for (const [name, state, expected] of [
    ["new", {}, { status: "HEALTHY", consecutiveFailures: 0 }],
    [
      "failing",
      { consecutive_failures: 3, failing_since: since },
      { status: "FAILING", consecutiveFailures: 3, failingSince: since, disablesAt: fiveDaysLater },
    ],
    [
      "suspended",
      {
        consecutive_failures: 12,
        failing_since: since,
        failing_topics: { "order.paid": 2, "product.updated": 10 },
        probe_at: later,
        failed_probes: 1,
      },
      {
        status: "SUSPENDED",
        consecutiveFailures: 12,
        failingSince: since,
        failingTopics: [
          { topic: "product.updated", failures: 10 },
          { topic: "order.paid", failures: 2 },
        ],
        disablesAt: fiveDaysLater,
        nextProbeAt: later,
      },
    ],
    [
      "disabled after five days",
      {
        consecutive_failures: 99,
        failing_since: since,
        probe_at: later,
        disabled_at: fiveDaysLater,
        disabled_reason: "FAILING",
      },
      {
        status: "DISABLED",
        consecutiveFailures: 99,
        failingSince: since,
        disabledAt: fiveDaysLater,
        disabledReason: "FAILING",
      },
    ],
    [
      "gone",
      { consecutive_failures: 1, failing_since: since, disabled_at: since, disabled_reason: "GONE" },
      { status: "DISABLED", consecutiveFailures: 1, failingSince: since, disabledAt: since, disabledReason: "GONE" },
    ],
  ] as const) {
    it(`is correct for an endpoint that is ${name}`, async () => {
      const { endpoint } = await buildEndpoint(server, shop, "https://receiver.example/");
      await query(
        server.databaseUrl,
        `update webhook_endpoints set (consecutive_failures, failing_since, failing_topics, answered_at, probe_at, failed_probes,
          disabled_at, disabled_reason) = (select coalesce(consecutive_failures, 0), failing_since,
          coalesce(failing_topics, '{}'), answered_at, probe_at, coalesce(failed_probes, 0), disabled_at, disabled_reason
          from json_populate_record(null::webhook_endpoints, $2)) where id = $1`,
        [endpoint.id, JSON.stringify(state)],
      );
      expect(await health()).to.deep.equal([{ ...nothing, waitingDeliveries: 0, isSlow: false, ...expected }]);
    });
  }

  it("counts pending deliveries by endpoint, up to ten thousand", async () => {
    const built = [];
    for (const path of ["a", "b", "c"]) {
      built.push((await buildEndpoint(server, shop, `https://receiver.example/${path}`)).endpoint);
    }
    await buildManyDeliveries(server.databaseUrl, built[0]!, 10_001, DeliveryStatus.PENDING);
    await buildManyDeliveries(server.databaseUrl, built[1]!, 5, DeliveryStatus.SUCCEEDED);
    for (const topic of ["product.created", "order.paid"] as const)
      await buildDelivery(server.em, built[1]!, { topic });
    expect(await health()).to.containSubset([
      { waitingDeliveries: 10_000 },
      { waitingDeliveries: 2 },
      { waitingDeliveries: 0 },
    ]);
  });

  it("counts waiting and leased events of a pull endpoint up to ten thousand each", async () => {
    const { id } = await run("createPullEndpoint", { input: { topics: ["product.updated"] } });
    await buildManyDeliveries(server.databaseUrl, { shopId: shop.id, id }, 20_002, DeliveryStatus.PENDING);
    const due = "(array['2020-01-01', '2099-01-01']::timestamptz[])";
    const numbered =
      "(select id, row_number() over () as number from outstanding_deliveries where shop_id = $1) numbered";
    await sql(
      `update outstanding_deliveries outstanding set next_attempt_at = ${due}[1 + number % 2]
        from ${numbered} where shop_id = $1 and outstanding.id = numbered.id`,
    );
    const { pull } = await run("webhookEndpoint", { id });
    expect(pull).to.deep.include({ waiting: 10_000, leased: 10_000 });
  });

  it("is slow when the 95th percentile of at least twenty attempts in a day exceeds three seconds", async () => {
    const times = (count: number, duration: number) => Array.from({ length: count }, () => duration);
    const endpoints: [name: string, hours: [hoursAgo: number, durations: number[]][], expected: boolean][] = [
      [
        "slow twice in twenty, over two hours",
        [
          [0, [...times(9, 50), 4_000]],
          [22, [...times(9, 50), 4_000]],
        ],
        true,
      ],
      ["slow once in twenty", [[0, [...times(19, 50), 9_000]]], false],
      ["slow each time, in nineteen attempts", [[0, times(19, 9_000)]], false],
      [
        "slow, but the day before",
        [
          [0, times(5, 50)],
          [24, times(100, 9_000)],
        ],
        false,
      ],
      ["never over three seconds", [[0, times(100, 2_700)]], false],
      ["unused", [], false],
    ];
    for (const [name, hours] of endpoints) {
      const { endpoint } = await buildEndpoint(server, shop, `https://receiver.example/${encodeURIComponent(name)}`);
      for (const [hoursAgo, durations] of hours) {
        await buildCountedHour(server.databaseUrl, endpoint, durations, hoursAgo);
      }
    }
    const slow = (await health()).map(({ isSlow }) => isSlow);
    expect(slow).to.deep.equal(endpoints.map(([, , expected]) => expected));
  });

  it("is available in the response of a mutation", async () => {
    const { endpoint } = await buildEndpoint(server, shop, "https://receiver.example/");
    const answer = await run("updateWebhookEndpoint", { id: endpoint.id, input: { paused: true } });
    expect(answer).to.containSubset({ paused: true, health: { status: "HEALTHY" } });
  });
});

describe("The details of a failing endpoint", () => {
  const shop = useWebhookShop({ worker: true });
  const { receiver } = shop;

  it("include the attempt, the reason and the duration of each phase", async () => {
    receiver.status = 500;
    await shop.change(1);
    const document = `query ($shopId: ID!) { shop(id: $shopId) { webhookDeliveries(topic: "product.created") { items {
      status attemptCount responseStatus errorClass nextAttemptAt body endpoint { health { status consecutiveFailures } }
      attempts { isProbe responseStatus errorClass responseBody dnsMs connectMs tlsMs firstByteMs totalMs }
    } } } }`;
    const items = await eventually(
      async () => {
        const { data } = await shop.ask(document);
        return data.shop.webhookDeliveries.items as {
          attemptCount: number;
          attempts: Record<string, number>[];
          body: string;
        }[];
      },
      ([delivery]) => delivery!.attemptCount > 0,
    );
    expect(items).to.containSubset([
      {
        status: "PENDING",
        attemptCount: 1,
        responseStatus: 500,
        errorClass: "HTTP_STATUS",
        body: receiver.received[0]!.body.toString(),
        endpoint: { health: { status: "FAILING", consecutiveFailures: 1 } },
        attempts: [
          {
            isProbe: false,
            responseStatus: 500,
            errorClass: "HTTP_STATUS",
            responseBody: "",
            dnsMs: null,
            tlsMs: null,
          },
        ],
      },
    ]);
    const { connectMs, firstByteMs, totalMs } = items[0]!.attempts[0]! as Record<string, number>;
    expect(connectMs).to.be.within(0, firstByteMs!);
    expect(firstByteMs).to.be.within(0, totalMs!);
  });
});
