import { expect } from "chai";
import pg from "pg";
import { asOperator, inTransaction } from "../../../src/core/access/operation.ts";
import { kysely } from "../../../src/core/queries/database.ts";
import { eventually } from "../../support/eventually.ts";
import { buildProduct, buildShop } from "../../support/factories.ts";
import { lockWaits } from "../../support/postgres/lock-waits.ts";
import { useServer } from "../../support/server.ts";

describe("A transaction of an operation", () => {
  const server = useServer();

  it("runs again after a deadlock", async () => {
    const shop = await buildShop(server.em);
    const [one, other] = [await buildProduct(server.em, shop), await buildProduct(server.em, shop)] as const;
    const rival = new pg.Client(server.databaseUrl);
    await rival.connect();
    const lock = (id: string) =>
      rival.query("select 1 from products where shop_id = $1 and id = $2 for update", [shop.id, id]);
    await rival.query("begin");
    await lock(other.id);
    let runs = 0;
    const running = inTransaction(asOperator(server.em, shop.id), async ({ em }) => {
      runs += 1;
      for (const { id } of [one, other]) {
        const row = kysely(em).selectFrom("products").select("id").where("shop_id", "=", shop.id).where("id", "=", id);
        await row.forUpdate().execute();
      }
    });
    await eventually(
      () => lockWaits(server.databaseUrl, "select%products%"),
      (waits) => waits > 0,
    );
    await lock(one.id);
    await rival.query("commit");
    await running;
    await rival.end();
    expect(runs).to.equal(2);
  });

  it("runs again after a serialization failure, which Citus reports while it moves a shop", async () => {
    const shop = await buildShop(server.em);
    let runs = 0;
    await inTransaction(asOperator(server.em, shop.id), async () => {
      runs += 1;
      if (runs === 1) throw Object.assign(new Error("shard for the given value does not exist"), { code: "40001" });
    });
    expect(runs).to.equal(2);
  });
});
