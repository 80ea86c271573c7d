import { expect } from "chai";
import pg from "pg";
import { operator } from "../../src/core/access/actor.ts";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import { replayDelivery, replayFailedDeliveries } from "../../src/core/webhooks/replays/replays.ts";
import { purgeBatch, purgeEvents } from "../../src/jobs/retention/purge-events.sql.ts";
import { firstIdOf, newId } from "../../src/core/model/ids.ts";
import { query } from "../support/database.ts";
import { madeDeliveries } from "../support/webhooks/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildProduct, buildShop } from "../support/factories.ts";
import { useServer } from "../support/server.ts";

const OLD = "30 days 1 minute";
const YOUNG = "29 days 23 hours 59 minutes";

interface Ages {
  event: string;
  statuses?: string[];
  attempts?: string[];
}

/** An ID of that time, which its first ten characters contain. */
function idOf(moment: Date): string {
  return firstIdOf("evt", moment).slice(0, 14) + newId("evt").slice(14);
}

describe("Data from 30 days ago", () => {
  const server = useServer({ own: "deletes the old rows of all shops" });
  let shop: CurrentShop;
  let endpointId: string;

  beforeEach(async () => {
    shop = await buildShop(server.em);
    ({
      endpoint: { id: endpointId },
    } = await buildEndpoint(server, shop, "http://127.0.0.1:1/"));
  });

  const run = (statement: string, values: unknown[] = []) => query(server.databaseUrl, statement, values);
  const purge = (signal = new AbortController().signal) => purgeEvents(server.em.fork(), signal);
  const ids = async (table: string) =>
    (await run(`select id from ${table} where shop_id = $1 order by id`, [shop.id])).map(({ id }) => id);

  /** An event, a delivery of each status, and attempts of each age at each of them. Ages are SQL intervals. */
  async function record({ event, statuses = ["SUCCEEDED"], attempts = [event] }: Ages) {
    const [{ at }] = (await run("select now() - $1::interval as at", [event])) as [{ at: Date }];
    const id = idOf(at);
    await run(
      `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, 'product.created', '{}', $3)`,
      [shop.id, id, at],
    );
    const deliveries = statuses.map((status) => ({ id: newId("whd"), status }));
    await run(
      `with ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at",
        `select $1, id, $2, $3, 'product.created', status, 1, now() - $4::interval
        from json_to_recordset($5) as delivery (id text, status text)`,
      )} select`,
      [shop.id, id, endpointId, event, JSON.stringify(deliveries)],
    );
    const rows = deliveries.flatMap((delivery) =>
      attempts.map((age) => ({ id: newId("att"), delivery_id: delivery.id, age })),
    );
    await run(
      `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, error_class, total_ms)
       select $1, id, delivery_id, 1, false, now() - age, 'TIMEOUT', 1
       from json_to_recordset($2) as attempt (id text, delivery_id text, age interval)`,
      [shop.id, JSON.stringify(rows)],
    );
    return { id, deliveries: deliveries.map((one) => one.id), attempts: rows.map((one) => one.id) };
  }

  /** Events of 40 days ago, each with a delivery and two attempts. `status` is SQL. */
  const recordMany = (count: number, status: string) =>
    run(
      `with event as (
        insert into events (shop_id, id, topic, body, created_at)
        select $1, 'evt_' || lpad(number::text, 26, '0'), 'product.created', '{}', now() - interval '40 days'
        from generate_series(1, $3::int) number returning *
      ), ${madeDeliveries(
        "shop_id, id, event_id, endpoint_id, topic, status, attempts, created_at",
        `select $1, 'whd_' || substr(id, 5), id, $2, 'product.created', ${status}, 1, created_at from event`,
      )}
      insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, error_class, total_ms)
      select $1, 'att_' || number || substr(id, 6), id, number, false, created_at + number * interval '1 second', 'TIMEOUT', 1
      from made, generate_series(1, 2) number`,
      [shop.id, endpointId, count],
    );

  it("is deleted: the event, its deliveries and their attempts", async () => {
    await record({ event: OLD, statuses: ["SUCCEEDED", "FAILED"], attempts: [OLD, "2 days"] });
    await record({ event: OLD, statuses: [] });
    const young = await record({ event: YOUNG });
    await purge();
    expect(await ids("events")).to.deep.equal([young.id]);
    expect(await ids("deliveries")).to.deep.equal(young.deliveries);
    expect(await ids("delivery_attempts")).to.deep.equal(young.attempts);
  });

  it("stays while it is younger, even with an ID from a slow clock", async () => {
    const { id } = await record({ event: OLD });
    await run("update events set created_at = now() - interval '29 days' where shop_id = $1", [shop.id]);
    await purge();
    expect(await ids("events")).to.deep.equal([id]);
  });

  it("is deleted although nobody has received it from a pull endpoint", async () => {
    await run("update webhook_endpoints set paused = true, pull_paused = false where id = $1", [endpointId]);
    await record({ event: OLD, statuses: ["PENDING"] });
    const young = await record({ event: YOUNG, statuses: ["PENDING"] });
    await purge();
    expect(await ids("events")).to.deep.equal([young.id]);
    expect(await ids("outstanding_deliveries")).to.have.lengthOf(1);
  });

  it("stays while a delivery is pending, with the other deliveries, but without old attempts", async () => {
    const event = await record({ event: OLD, statuses: ["FAILED", "PENDING"], attempts: [OLD, YOUNG] });
    await purge();
    expect(await ids("events")).to.deep.equal([event.id]);
    expect(await ids("deliveries")).to.deep.equal(event.deliveries.toSorted());
    expect(await ids("delivery_attempts")).to.deep.equal([event.attempts[1], event.attempts[3]].toSorted());
    await run("delete from outstanding_deliveries where shop_id = $1", [shop.id]);
    await purge();
    expect(await ids("events")).to.deep.equal([]);
  });

  it("is deleted in every shop, and nothing of others is", async () => {
    const own = await record({ event: OLD });
    const [first, firstEndpoint] = [shop, endpointId];
    shop = await buildShop(server.em);
    ({
      endpoint: { id: endpointId },
    } = await buildEndpoint(server, shop, "http://127.0.0.1:1/"));
    const other = await record({ event: YOUNG });
    // The same ids in both shops.
    await run(
      `insert into events (shop_id, id, topic, body, created_at) select $1, id, topic, body, now() from events
       where shop_id = $2`,
      [shop.id, first.id],
    );
    await run(
      `insert into deliveries (shop_id, id, event_id, endpoint_id, topic, created_at)
       select $1, id, event_id, $3, topic, now() from deliveries where shop_id = $2`,
      [shop.id, first.id, endpointId],
    );
    await run(
      `insert into delivery_attempts (shop_id, id, delivery_id, number, is_probe, started_at, total_ms)
       select $1, id, delivery_id, 1, false, now(), 1 from delivery_attempts where shop_id = $2`,
      [shop.id, first.id],
    );
    await purge();
    expect(await ids("events")).to.deep.equal([own.id, other.id].toSorted());
    expect(await ids("deliveries")).to.deep.equal([...own.deliveries, ...other.deliveries].toSorted());
    expect(await ids("delivery_attempts")).to.deep.equal([...own.attempts, ...other.attempts].toSorted());
    shop = first;
    expect(await ids("events")).to.deep.equal([]);
    expect(await ids("webhook_endpoints")).to.deep.equal([firstEndpoint]);
  });

  it("is deleted in any amount, by two workers at once, past events that stay", async function () {
    this.timeout(60_000);
    await recordMany(7_000, "case when id < 'evt_' || lpad('2000', 26, '0') then 'PENDING' else 'FAILED' end");
    await Promise.all([purge(), purge()]);
    expect(await ids("events")).to.have.length(1_999);
    expect(await ids("deliveries")).to.have.length(1_999);
    expect(await ids("delivery_attempts")).to.deep.equal([]);
  });

  it("stays when it is replayed meanwhile, whether it failed or succeeded", async () => {
    await recordMany(1_000, "case when right(id, 1) < '5' then 'FAILED' else 'SUCCEEDED' end");
    const over = new AbortController();
    const replayed: string[] = [];
    const replay = async () => {
      for (const id of (await ids("deliveries")) as string[]) {
        if (over.signal.aborted) return;
        // It is gone, when it is not replayed.
        await replayDelivery({ em: server.em, shop, actor: operator }, { id, owner: undefined }).then(
          () => replayed.push(id),
          ({ code }) => expect(code).to.equal("NOT_FOUND"),
        );
      }
    };
    const replays = replay();
    await eventually(
      () => replayed.length,
      (count) => count > 5,
    );
    await purge();
    over.abort();
    await replays;
    for (const table of ["deliveries", "outstanding_deliveries"]) {
      expect(await ids(table)).to.deep.equal(replayed.toSorted());
    }
    expect(await ids("events")).to.have.length(replayed.length);
  });

  it("stays or is deleted as a whole when failed deliveries are replayed meanwhile", async () => {
    for (let round = 0; round < 5; round += 1) {
      await recordMany(1_000, "'FAILED'");
      const since = new Date(0);
      const [{ replayed }] = await Promise.all([
        replayFailedDeliveries({ em: server.em, shop, actor: operator }, { endpointId, since }),
        purge(),
      ]);
      await purge();
      for (const table of ["events", "deliveries", "outstanding_deliveries"]) {
        expect(await ids(table), table).to.have.length(replayed);
      }
      await run("delete from outstanding_deliveries where shop_id = $1", [shop.id]);
      await purge();
    }
  });

  it("stays when the worker stops", async () => {
    await record({ event: OLD });
    const stopped = AbortSignal.abort();
    await purge(stopped);
    expect(await ids("events")).to.have.length(1);
  });

  describe("with locked rows", () => {
    let client: pg.Client;

    beforeEach(async () => {
      client = new pg.Client({ connectionString: server.databaseUrl });
      await client.connect();
      await client.query("set lock_timeout = 500; begin");
    });

    afterEach(async () => {
      await client.query("rollback");
      await client.end();
    });

    for (const [table, kind] of [
      ["events", "for key share"],
      ["deliveries", "for no key update"],
    ] as const) {
      it(`is skipped while ${table} are locked ${kind}, without waiting, and deleted later`, async () => {
        const held = await record({ event: OLD });
        const free = await record({ event: OLD });
        const lockedId = table === "events" ? held.id : held.deliveries[0];
        await client.query(`select 1 from ${table} where shop_id = $1 and id = $2 ${kind}`, [shop.id, lockedId]);
        // The lock is held until after it: it cannot have been waited for.
        await purge();
        expect(await ids("events"), free.id).to.deep.equal([held.id]);
        expect(await ids("deliveries")).to.deep.equal(held.deliveries);
        await client.query("commit");
        await purge();
        expect(await ids("events")).to.deep.equal([]);
      });
    }

    it("does not block new events and attempts", async () => {
      await record({ event: OLD, statuses: ["SUCCEEDED", "FAILED"] });
      const pending = await record({ event: OLD, statuses: ["PENDING"] });
      // The deletion's locks are held until the end of this transaction.
      await server.em.fork().transactional(async (em) => {
        await purgeBatch(em, shop.id, { after: "", end: "evt_z" });
        await client.query(
          `insert into events (shop_id, id, topic, body, created_at) values ($1, $2, 'product.created', '{}', now())`,
          [shop.id, newId("evt")],
        );
        const { rows } = await client.query(
          "select id from outstanding_deliveries where shop_id = $1 and status = 'PENDING' for update skip locked",
          [shop.id],
        );
        expect(
          rows.map(({ id }) => id),
          "a pending delivery is locked for the length of a batch",
        ).to.deep.equal(pending.deliveries);
        await buildProduct(server.em.fork(), shop);
      });
    });
  });
});
