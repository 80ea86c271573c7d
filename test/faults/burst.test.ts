import { expect } from "chai";
import { operator } from "../../src/core/access/actor.ts";
import { kysely } from "../../src/core/queries/database.ts";
import { newId } from "../../src/core/model/ids.ts";
import type { CurrentShop } from "../../src/core/model/shops/current-shop.ts";
import { DeliveryStatus } from "../../src/core/model/webhooks/event.entity.ts";
import { findWebhookEndpoint } from "../../src/core/webhooks/health/read-endpoints.ts";
import { Selection } from "../../src/core/queries/selection.ts";
import { replayFailedDeliveries } from "../../src/core/webhooks/replays/replays.ts";
import { changeEvents, findNextEnd, leaseEvents } from "../../src/core/webhooks/pulling/lease-events.sql.ts";
import type { AttemptResult } from "../../src/jobs/sending/attempt-delivery.ts";
import { failUndeliverable } from "../../src/jobs/sending/fail-undeliverable.sql.ts";
import { purgeBatch } from "../../src/jobs/retention/purge-events.sql.ts";
import { readDueDeliveries } from "../../src/jobs/sending/read-due-deliveries.sql.ts";
import { recordAttempts } from "../../src/jobs/sending/record-attempts.sql.ts";
import { buildAttemptResult, buildManyDeliveries } from "../support/webhooks/deliveries.ts";
import { query } from "../support/database.ts";
import { buildEndpoint, buildShop } from "../support/factories.ts";
import { rowsReadBy } from "../support/postgres/plans.ts";
import { useStatementLog } from "../support/postgres/statements.ts";
import { useServer } from "../support/server.ts";

const BURST = 20_000;
const TABLES = ["events", "deliveries", "outstanding_deliveries", "delivery_attempts"];

// Each would take longer than its statement may, were it planned for tables as empty as PostgreSQL thinks they are.
describe("A burst of deliveries that PostgreSQL has not noticed yet", () => {
  const server = useServer({ own: "counts the deliveries of all shops" });
  const log = useStatementLog();
  let shop: CurrentShop;

  const run = (statement: string, values: unknown[] = []) => query(server.databaseUrl, statement, values);
  const endpointWith = async (status: DeliveryStatus) => {
    const { endpoint } = await buildEndpoint(server, shop, "http://127.0.0.1:1/");
    await buildManyDeliveries(server.databaseUrl, endpoint, BURST, status);
    await run("update outstanding_deliveries set next_attempt_at = now() where status = 'PENDING'");
    return endpoint.id;
  };

  before(async () => {
    shop = await buildShop(server.em);
    for (const table of TABLES) await run(`alter table ${table} set (autovacuum_enabled = off)`);
  });

  beforeEach("leave tables of many pages without a row", async function () {
    this.timeout(60_000);
    await endpointWith(DeliveryStatus.PENDING);
    for (const table of TABLES.toReversed()) await run(`delete from ${table} where shop_id = $1`, [shop.id]);
    for (const table of TABLES) await run(`analyze ${table}`);
  });

  async function resultsOf(endpointId: string, status: number): Promise<AttemptResult[]> {
    const rows = await run("select id from outstanding_deliveries where endpoint_id = $1 limit 500", [endpointId]);
    const delivery = { shopId: shop.id, endpointId, attempts: 0, isTest: false, isProbe: false, isFailing: false };
    return rows.map(({ id }) => buildAttemptResult({ ...delivery, id: id as string }, status));
  }

  it("is read and recorded", async function () {
    this.timeout(60_000);
    const endpointId = await endpointWith(DeliveryStatus.PENDING);
    const job = { shopId: shop.id, endpointId };
    const request = { ...job, places: 1_000, except: [] };
    const [read] = await readDueDeliveries(kysely(server.em), shop.id, [request]);
    expect([read!.deliveries.length, read!.hasMore]).to.deep.equal([200, true]);
    for (const status of [204, 500]) {
      await recordAttempts(server.em, shop.id, await resultsOf(endpointId, status));
    }
    const [left] = await run(
      "select count(*)::int, count(*) filter (where attempts = 1)::int as failed from outstanding_deliveries",
    );
    expect(left).to.deep.equal({ count: BURST - 500, failed: 500 });
  });

  it("is replayed after failing", async function () {
    this.timeout(60_000);
    const endpointId = await endpointWith(DeliveryStatus.FAILED);
    const replay = { endpointId, since: new Date(0) };
    const { replayed, remaining } = await replayFailedDeliveries({ em: server.em, shop, actor: operator }, replay);
    expect({ replayed, remaining }).to.deep.equal({ replayed: 10_000, remaining: BURST - 10_000 });
    const selection = Selection.of("replay { waiting }");
    const progress = await findWebhookEndpoint(server.em, shop.id, endpointId, selection);
    expect(progress!.replay).to.include({ total: 10_000, waiting: 10_000 });
  });

  it("fails when its endpoint is disabled", async function () {
    this.timeout(60_000);
    const endpointId = await endpointWith(DeliveryStatus.PENDING);
    await run("delete from webhook_endpoints where id = $1", [endpointId]);
    expect(await failUndeliverable(kysely(server.em), { shopId: shop.id, endpointId })).to.equal(true);
    const [{ failed }] = (await run(
      "select count(*)::int as failed from outstanding_deliveries where status = 'FAILED'",
    )) as [{ failed: number }];
    expect(failed).to.equal(1_000);
  });

  it("is purged when it is old", async function () {
    this.timeout(60_000);
    await endpointWith(DeliveryStatus.FAILED);
    await run("update events set created_at = created_at - interval '40 days'");
    await server.em.fork().transactional((em) => purgeBatch(em, shop.id, { after: "", end: "evt_z" }));
    for (const table of ["events", "deliveries", "outstanding_deliveries"]) {
      expect(await run(`select count(*)::int from ${table}`)).to.deep.equal([{ count: BURST - 1_000 }]);
    }
  });

  it("is leased and acknowledged without reading what waits", async function () {
    this.timeout(60_000);
    const id = await endpointWith(DeliveryStatus.PENDING);
    await run("update webhook_endpoints set paused = true, pull_paused = false where id = $1", [id]);
    const key = { shopId: shop.id, id, actorId: newId("svc") };
    const lease = { limit: 500, leaseSeconds: 60 };
    const ids = (await leaseEvents(server.em, key, lease)).map((event) => event.id);
    const { sent } = await log.during(async () => {
      await leaseEvents(server.em, key, lease);
      await findNextEnd(server.em, key);
      await changeEvents(server.em, key, "extend", [ids, 60]);
      await changeEvents(server.em, key, "release", [ids.slice(0, 10)]);
      await changeEvents(server.em, key, "acknowledge", [ids.slice(0, 250)]);
    });
    expect(sent).to.have.length(6);
    // What was acknowledged cannot be logged twice.
    for (const { text, values } of sent.filter(({ text: each }) => !each.startsWith("insert"))) {
      expect(await rowsReadBy(server.databaseUrl, text, values), text).to.be.at.most(1_000);
    }
  });
});
