import { expect } from "chai";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { query } from "../../support/database.ts";
import { buildAttempts, buildDelivery, buildManyDeliveries } from "../../support/webhooks/deliveries.ts";
import { buildEndpoint, buildShop, buildStaff } from "../../support/factories.ts";
import { askGraphql, logIn } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { columnsOf, planNodesOf } from "../../support/postgres/plans.ts";
import { useStatementLog } from "../../support/postgres/statements.ts";

const EVERYTHING = `query ($shopId: ID!) { shop(id: $shopId) { webhookDeliveries(limit: 50) { total nextCursor items {
  topic body endpoint { url health { status waitingDeliveries isSlow } hourlyAttempts { attempts } replay { waiting } }
  attempts { errorClass responseBody requestHeaders { name } }
} } } }`;
const FILTERED = `query ($shopId: ID!, $endpointId: ID, $eventId: ID, $topic: String,
  $statuses: [WebhookDeliveryStatus!], $errorClass: WebhookErrorClass,
  $createdSince: Timestamp, $createdBefore: Timestamp, $order: SortOrder! = DESC) {
  shop(id: $shopId) { webhookDeliveries(endpointId: $endpointId, eventId: $eventId, topic: $topic,
    statuses: $statuses, errorClass: $errorClass, order: $order
    createdSince: $createdSince, createdBefore: $createdBefore) { total items { id } } } }`;

/** The condition that each index is asked with. */
const columnsOfIndex: Record<string, string[]> = {
  deliveries_pkey: ["shop_id", "id"],
  outstanding_deliveries_pkey: ["shop_id", "id"],
  delivery_attempts_pkey: ["shop_id", "delivery_id"],
  deliveries_event: ["event_id"],
  deliveries_endpoint: ["endpoint_id", "topic"],
  outstanding_deliveries_endpoint: ["endpoint_id", "topic", "status"],
  outstanding_deliveries_error: ["endpoint_id", "error_class", "topic", "status"],
};

describe("Statements of webhook deliveries", () => {
  const server = useServer();
  const log = useStatementLog();

  async function ask(shop: Shop, document: string, variables: object = {}) {
    const session = await logIn(server, await buildStaff(server.em, shop));
    return log.during(() => askGraphql(server, document, { shopId: shop.id, ...variables }, session));
  }

  it("are as many for 50 deliveries of 10 endpoints as for 2 of one", async () => {
    const asked: string[][] = [];
    for (const [endpoints, each] of [
      [1, 2],
      [10, 5],
    ] as const) {
      const shop = await buildShop(server.em);
      for (let number = 0; number < endpoints; number += 1) {
        const { endpoint } = await buildEndpoint(server, shop, `https://receiver.example/${number}`);
        for (let count = 0; count < each; count += 1) {
          const delivery = await buildDelivery(server.em, endpoint);
          await buildAttempts(server.databaseUrl, delivery, 2, delivery.createdAt);
        }
      }
      const { statements, result } = await ask(shop, EVERYTHING);
      expect(result.errors).to.deep.equal([]);
      const { items, total } = result.data.shop.webhookDeliveries;
      expect(total).to.equal(endpoints * each);
      for (const item of items) {
        expect(item.attempts).to.have.length(2);
        expect(item.endpoint.health.waitingDeliveries).to.equal(each);
      }
      asked.push(statements.toSorted());
    }
    expect(asked[1]).to.deep.equal(asked[0]);
    const ofDeliveries = asked[0]!.filter((statement) => /deliver|webhook_endpoints|hourly_attempts/.test(statement));
    // The page, the attempts, the endpoints, their health, what waits for them, their hours, how slow they are, their replays.
    expect(ofDeliveries).to.have.length(8);
  });

  it("read no response bodies that are not selected", async () => {
    const shop = await buildShop(server.em);
    await buildDelivery(server.em, (await buildEndpoint(server, shop, "https://receiver.example/")).endpoint);
    const { statements } = await ask(
      shop,
      "query ($shopId: ID!) { shop(id: $shopId) { webhookDeliveries { items { attempts { totalMs } } } } }",
    );
    expect(statements.filter((statement) => statement.includes("delivery_attempts"))).to.have.length(1);
    expect(statements.join()).not.to.match(/response_body|_headers|select "body"|count\(/);
  });

  describe("with many deliveries", () => {
    let shop: Shop;
    let endpointId: string;

    before(async () => {
      shop = await buildShop(server.em);
      for (const status of [DeliveryStatus.SUCCEEDED, DeliveryStatus.FAILED]) {
        const { endpoint } = await buildEndpoint(server, shop, `https://receiver.example/${status}`);
        await buildManyDeliveries(server.databaseUrl, endpoint, 15_000, status);
        endpointId = endpoint.id;
      }
      await query(server.databaseUrl, "update outstanding_deliveries set error_class = 'TIMEOUT'");
      await query(server.databaseUrl, "analyze");
    });

    /** Nodes of the generic plan, which a prepared statement keeps whatever its parameters are. */
    const nodesOf = (statement: string) => planNodesOf(server.databaseUrl, statement);

    const createdSince = "2026-01-31T09:30:00.000Z";
    for (const order of ["ASC", "DESC"]) {
      for (const [names, statuses, indexes] of [
        [[], null, ["deliveries_endpoint"]],
        [["endpointId"], null, ["deliveries_endpoint"]],
        [["topic"], null, ["deliveries_endpoint"]],
        [[], ["PENDING"], ["outstanding_deliveries_endpoint"]],
        [[], ["SUCCEEDED"], ["deliveries_endpoint"]],
        [[], ["SUCCEEDED", "FAILED"], ["deliveries_endpoint", "outstanding_deliveries_endpoint"]],
        [["createdSince", "createdBefore"], null, ["deliveries_endpoint"]],
        [["endpointId", "topic", "createdSince"], ["PENDING"], ["outstanding_deliveries_endpoint"]],
        [["errorClass"], null, ["outstanding_deliveries_error"]],
        [["errorClass", "endpointId", "topic", "createdSince"], ["FAILED"], ["outstanding_deliveries_error"]],
        [["eventId"], null, ["deliveries_event"]],
        [["eventId", "errorClass", "endpointId", "topic"], ["FAILED", "PENDING"], ["deliveries_event"]],
      ] as const) {
        const filters = [...names, ...(statuses ?? [])].join(", ");
        it(`use an index when filtered by ${filters || "nothing"}, ${order}`, async () => {
          const values: Record<string, string> = {
            endpointId,
            eventId: "evt_1",
            topic: "customer.created",
            errorClass: "DNS",
            createdSince,
            createdBefore: createdSince,
          };
          const filter = { statuses, ...Object.fromEntries(names.map((name) => [name, values[name]])) };
          const { statements, result } = await ask(shop, FILTERED, { order, ...filter });
          expect(result.errors).to.deep.equal([]);
          const found = statements.filter((statement) =>
            /deleted_webhook_endpoints|from deliveries left join/.test(statement),
          );
          expect(found).not.to.deep.equal([]);
          for (const statement of found) {
            const scans = (await nodesOf(statement)).filter((node) => /deliver/.test(node["Relation Name"] ?? ""));
            const used = scans
              .map((scan) => scan["Index Name"] ?? "")
              .filter((name) => /deliveries_(?!pkey)/.test(name));
            expect(new Set(used), statement).to.deep.equal(new Set(indexes));
            for (const scan of scans) {
              // The page itself, whose ids are found, is read by a bitmap of them.
              const isPage = scan["Node Type"] === "Bitmap Heap Scan";
              const lookUp = isPage ? scan.Plans![0]! : scan;
              expect(lookUp["Node Type"], statement).to.match(/^(Index Scan|Index Only Scan|Bitmap Index Scan)$/);
              const index = lookUp["Index Name"]!;
              if (isPage) expect(index, statement).to.equal("deliveries_pkey");
              expect(columnsOf(lookUp), `${index}: ${statement}`).to.include.members(columnsOfIndex[index]!);
            }
          }
        });
      }
    }
  });
});
