import { expect } from "chai";
import type { Shop } from "../../../src/core/model/shops/shop.entity.ts";
import { call } from "../../support/client.ts";
import { query } from "../../support/database.ts";
import { buildEndpoint, buildKey, buildShop } from "../../support/factories.ts";
import { useServer } from "../../support/server.ts";

/** Everything that one create writes. */
const TABLES = [
  "products",
  "variants",
  "stock_changes",
  "events",
  "deliveries",
  "idempotency_keys",
  "record_counts",
  "graphile_worker._private_jobs",
];

describe("A change, its event, its deliveries and their jobs", () => {
  // Without a worker, so that jobs stay where they are put.
  const server = useServer({ own: "counts and deletes the rows of all shops" });
  let shop: Shop;
  let key: string;

  before(async () => {
    shop = await buildShop(server.em);
    key = await buildKey(server.em, shop);
    for (const path of ["one", "two"]) await buildEndpoint(server, shop, `https://receiver.example/${path}`);
  });

  afterEach(() => run(`truncate ${TABLES.join(", ")} cascade`));

  function run(statement: string): Promise<Record<string, unknown>[]> {
    return query(server.databaseUrl, statement);
  }

  async function create() {
    return call(server, "POST", `/${shop.id}/products`, {
      key,
      body: { title: "Mug", price: 1, inventoryQuantity: 1 },
      headers: { "Idempotency-Key": "one" },
    });
  }

  async function rows(): Promise<Record<string, number>> {
    const counts = TABLES.map((table) => `(select count(*)::int from ${table}) as "${table}"`);
    const [found] = await run(`select ${counts.join(", ")}`);
    return found as Record<string, number>;
  }

  const none = Object.fromEntries(TABLES.map((table) => [table, 0]));

  it("commit together", async () => {
    expect((await create()).status).to.equal(201);
    expect(await rows()).to.deep.equal({
      ...none,
      products: 1,
      variants: 1,
      stock_changes: 1,
      events: 1,
      deliveries: 2,
      idempotency_keys: 1,
      record_counts: 1,
      "graphile_worker._private_jobs": 2,
    });
    const woken = await run(
      `select endpoint_id from graphile_worker._private_jobs job, deliveries
       where deliveries.shop_id = job.payload->>'shopId' and job.payload->>'endpointId' = endpoint_id`,
    );
    expect(woken).to.have.length(2);
  });

  for (const table of TABLES) {
    for (const moment of ["at once", "at the commit"]) {
      it(`are rolled back when ${table} fails ${moment}`, async () => {
        await run(`create function fail() returns trigger language plpgsql as $$ begin raise 'no room'; end $$`);
        await run(
          moment === "at once"
            ? `create trigger fail before insert on ${table} for each row execute function fail()`
            : `create constraint trigger fail after insert on ${table} deferrable initially deferred
               for each row execute function fail()`,
        );
        try {
          const { status, json } = await create();
          expect(status).to.equal(500);
          expect(json).to.deep.equal({ error: "Internal server error" });
          expect(await rows()).to.deep.equal(none);
        } finally {
          await run("drop function fail cascade");
        }
        // Nor is the connection, or the idempotency key, of any less use after it.
        expect((await create()).status).to.equal(201);
      });
    }
  }

  it("consist of the event alone when no endpoint subscribes", async () => {
    const other = await buildShop(server.em);
    await call(server, "POST", `/${other.id}/products`, {
      key: await buildKey(server.em, other),
      body: { title: "Mug", price: 1 },
    });
    expect(await rows()).to.include({ events: 1, deliveries: 0, "graphile_worker._private_jobs": 0 });
  });
});
