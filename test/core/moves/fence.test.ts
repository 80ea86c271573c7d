import { expect } from "chai";
import pg from "pg";
import { DeliveryStatus } from "../../../src/core/model/webhooks/event.entity.ts";
import { raiseFence } from "../../../src/core/moves/live/fence.sql.ts";
import { listReplicatedTables } from "../../../src/core/moves/moved-tables.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint, buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";
import { buildManyDeliveries } from "../../support/webhooks/deliveries.ts";

describe("A shop that closes for a move", () => {
  const server = useServer({ own: "adds triggers to tables" });

  it("keeps all rows of a transaction that found it open, and none of a later one", async () => {
    const shop = await buildShop(server.em);
    const { endpoint } = await buildEndpoint(server, shop, "http://127.0.0.1:1/");
    await buildManyDeliveries(server.databaseUrl, endpoint, 2, DeliveryStatus.PENDING);
    const tables = (await listReplicatedTables(kysely(server.em))).filter(({ owner }) => owner === "shop");
    await raiseFence(server.em, { tables, shopId: shop.id, signal: new AbortController().signal });

    const writer = new pg.Client({ connectionString: server.databaseUrl });
    await writer.connect();
    const write = async (table: string, column: string) =>
      (await writer.query(`update ${table} set ${column} = ${column} where shop_id = $1`, [shop.id])).rowCount;
    try {
      await writer.query("begin");
      expect(await write("events", "body")).to.equal(2);
      await query(server.databaseUrl, "update shops set closed_at = now() where id = $1", [shop.id]);
      expect(await write("deliveries", "topic")).to.equal(2);
      expect(await write("events", "body")).to.equal(2);
      await writer.query("commit");
      expect(await write("deliveries", "topic")).to.equal(0);
      const refusal = await write("events", "body").catch((error: Error) => error.message);
      expect(refusal).to.equal("The shop is closed for a move");
    } finally {
      await writer.end();
    }
  });
});
