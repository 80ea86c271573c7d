import { expect } from "chai";
import { sql } from "kysely";
import { projections } from "../../src/core/database.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

describe("The pool of connections", () => {
  const POOL_SIZE = 3;
  const server = useServer({ config: { databasePoolSize: POOL_SIZE } });

  it("loses no place to transactions whose connections were cut", async () => {
    const shop = await buildShop(server.em);
    for (let round = 0; round < POOL_SIZE * 2; round += 1) {
      const cut = server.em
        .transactional(async (transaction) => {
          await sql`select pg_sleep(4)`.execute(projections(transaction));
        })
        .then(
          () => "committed",
          () => "failed",
        );
      const killed = () =>
        query(
          server.databaseUrl,
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and query like '%pg_sleep(4)%' and pid <> pg_backend_pid()`,
        );
      await eventually(killed, (rows) => rows.length > 0);
      expect(await cut).to.equal("failed");
    }
    await Promise.all(Array.from({ length: POOL_SIZE * 2 }, () => buildProduct(server.em, shop)));
  });
});
