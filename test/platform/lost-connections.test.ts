import { expect } from "chai";
import { Kysely, PostgresDialect, sql } from "kysely";
import pg from "pg";
import { kysely } from "../../src/core/queries/database.ts";
import { isDatabaseUnavailable } from "../../src/platform/errors.ts";
import { PreparingClient } from "../../src/platform/postgres/preparing-driver.ts";
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
          await sql`select pg_sleep(4)`.execute(kysely(transaction));
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

  it("loses no place to transactions that did not even begin", async () => {
    const pool = new pg.Pool({ connectionString: server.databaseUrl, max: 1, Client: PreparingClient });
    const database = new Kysely({ dialect: new PostgresDialect({ pool }) });
    pool.on("connect", (client) => client.on("error", () => undefined));
    const cut = (client: pg.PoolClient) =>
      (client as unknown as { connection: pg.Connection }).connection.stream.destroy();
    for (const acquire of [cut, () => undefined]) {
      pool.once("acquire", acquire);
      const transaction = await database.startTransaction().execute();
      const answer = await sql`select 1`.execute(transaction).catch((error: unknown) => error);
      if (acquire === cut) expect(isDatabaseUnavailable(answer), String(answer)).to.equal(true);
      else expect(answer).to.have.nested.property("rows.length", 1);
      await transaction.rollback().execute();
    }
    await database.destroy();
  });
});
