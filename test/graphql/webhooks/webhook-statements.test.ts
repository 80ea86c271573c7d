import { expect } from "chai";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { query } from "../../support/database.ts";
import { buildAttempts, buildDelivery, buildManyDeliveries } from "../../support/webhooks/deliveries.ts";
import { buildEndpoint } from "../../support/factories.ts";
import { documentOf } from "../../support/graphql.ts";
import { useServer } from "../../support/server.ts";
import { planNodesOf } from "../../support/postgres/plans.ts";
import { useStatementLog } from "../../support/postgres/statements.ts";
import { openWorld, type Variables, type World } from "../../support/world.ts";

const EVERYTHING = `query ($shopId: ID!) { shop(id: $shopId) { webhookDeliveries(limit: 50) { total nextCursor items {
  topic body endpoint { url health { status waitingDeliveries isSlow } hourlyAttempts { attempts } replay { waiting } }
  attempts { errorClass responseBody requestHeaders { name } }
} } } }`;
const FILTERED = documentOf("webhookDeliveries").replace(/items \{.*\} nextCursor/, "items { id } nextCursor");

describe("Statements of webhook deliveries", () => {
  const server = useServer({ own: "reads plans, which depend on the rows of all shops" });
  const log = useStatementLog();

  async function ask(world: World, document: string, variables: Variables = {}) {
    await world.session();
    return log.during(() => world.ask(document, variables));
  }

  it("are as many for 50 deliveries of 10 endpoints as for 2 of one", async () => {
    const asked: string[][] = [];
    for (const [endpoints, each] of [
      [1, 2],
      [10, 5],
    ] as const) {
      const world = await openWorld(server);
      for (let number = 0; number < endpoints; number += 1) {
        const { endpoint } = await buildEndpoint(server, world.shop, `https://receiver.example/${number}`);
        for (let count = 0; count < each; count += 1) {
          const delivery = await buildDelivery(server.em, endpoint);
          await buildAttempts(server.databaseUrl, delivery, 2, delivery.createdAt);
        }
      }
      const { statements, result } = await ask(world, EVERYTHING);
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
  });

  describe("with many deliveries", () => {
    let world: World;
    let endpointId: string;

    before(async () => {
      world = await openWorld(server);
      for (const status of [DeliveryStatus.SUCCEEDED, DeliveryStatus.FAILED]) {
        const { endpoint } = await buildEndpoint(server, world.shop, `https://receiver.example/${status}`);
        await buildManyDeliveries(server.databaseUrl, endpoint, 15_000, status);
        endpointId = endpoint.id;
      }
      await query(server.databaseUrl, "update outstanding_deliveries set error_class = 'TIMEOUT'");
      await query(server.databaseUrl, "analyze");
    });

    const createdSince = "2026-01-31T09:30:00.000Z";
    for (const order of ["ASC", "DESC"]) {
      for (const [names, statuses] of [
        [[], null],
        [["endpointId"], null],
        [["topic"], null],
        [[], ["PENDING"]],
        [[], ["SUCCEEDED"]],
        [[], ["SUCCEEDED", "FAILED"]],
        [["createdSince", "createdBefore"], null],
        [["endpointId", "topic", "createdSince"], ["PENDING"]],
        [["errorClass"], null],
        [["errorClass", "endpointId", "topic", "createdSince"], ["FAILED"]],
        [["eventId"], null],
        [
          ["eventId", "errorClass", "endpointId", "topic"],
          ["FAILED", "PENDING"],
        ],
      ] as const) {
        const filters = [...names, ...(statuses ?? [])].join(", ");
        it(`read no whole table when filtered by ${filters || "nothing"}, ${order}`, async () => {
          const values: Record<string, string> = {
            endpointId,
            eventId: "evt_1",
            topic: "customer.created",
            errorClass: "DNS",
            createdSince,
            createdBefore: createdSince,
          };
          const filter = { statuses, ...Object.fromEntries(names.map((name) => [name, values[name]])) };
          const { statements, result } = await ask(world, FILTERED, { order, ...filter });
          expect(result.errors).to.deep.equal([]);
          const found = statements.filter((statement) =>
            /deleted_webhook_endpoints|from deliveries left join/.test(statement),
          );
          expect(found).not.to.deep.equal([]);
          for (const statement of found) {
            const nodes = await planNodesOf(server.databaseUrl, statement);
            const scans = nodes.filter((node) => /deliver/.test(node["Relation Name"] ?? ""));
            // By the generic plan, which a prepared statement keeps for all values.
            for (const scan of scans) expect(scan["Node Type"], statement).to.match(/^(Index|Bitmap)/);
          }
        });
      }
    }
  });
});
