import { once } from "node:events";
import { expect } from "chai";
import { Kysely, sql } from "kysely";
import pg from "pg";
import { kysely } from "../../src/core/queries/database.ts";
import { isDatabaseUnavailable } from "../../src/platform/errors.ts";
import { PoolDialect } from "../../src/platform/postgres/driver/postgres-driver.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

describe("The connection pool", () => {
  const POOL_SIZE = 3;
  const server = useServer({ config: { databasePoolSize: POOL_SIZE } });

  it("replaces connections lost during transactions", async () => {
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

  it("finishes a transaction that just started before it closes", async () => {
    const pool = new pg.Pool({ connectionString: server.databaseUrl });
    const database = new Kysely<unknown>({ dialect: new PoolDialect(pool) });
    const committed = database.transaction().execute((transaction) => sql`select 1`.execute(transaction));
    // Until the first connection is opening.
    while (pool.totalCount === 0) await new Promise(setImmediate);
    await database.destroy();
    expect((await committed).rows).to.have.length(1);
  });

  describe("with one connection", () => {
    let database: Kysely<unknown>;
    let pool: pg.Pool;
    const cut = (client: pg.PoolClient) =>
      (client as unknown as { connection: pg.Connection }).connection.stream.destroy();

    beforeEach(() => {
      const connectionString = server.databaseUrl;
      pool = new pg.Pool({ connectionString, max: 1, connectionTimeoutMillis: 2_000, pipeline: true });
      pool.on("connect", (client) => client.on("error", () => undefined));
      database = new Kysely({ dialect: new PoolDialect(pool) });
    });

    afterEach(async () => {
      const transaction = await database.startTransaction().execute();
      expect(await sql`select 1`.execute(transaction)).to.have.nested.property("rows.length", 1);
      await transaction.rollback().execute();
      await database.destroy();
    });

    it("releases it when a transaction cannot begin", async () => {
      pool.once("acquire", cut);
      const transaction = await database.startTransaction().execute();
      for (const statement of [sql`select 1`.execute(transaction), transaction.rollback().execute()]) {
        const error = await rejection(statement);
        expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
      }
    });

    it("releases it when a transaction cannot be rolled back", async () => {
      const acquired = once(pool, "acquire");
      const transaction = await database.startTransaction().execute();
      cut((await acquired)[0] as pg.PoolClient);
      const error = await rejection(transaction.rollback().execute());
      expect(isDatabaseUnavailable(error), String(error)).to.equal(true);
    });
  });
});

function rejection(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => undefined,
    (error: unknown) => error,
  );
}
