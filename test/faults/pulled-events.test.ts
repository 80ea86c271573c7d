import { randomBytes } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import { topicNames } from "../../src/core/model/webhooks/topics.ts";
import { findFreePort } from "../support/free-port.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { Consumer } from "../support/programs/consumer.ts";
import { ServerProcess } from "../support/programs/server-process.ts";
import { timesFactor } from "../support/properties/holds.ts";
import { useServer, type TestServer } from "../support/server.ts";
import { closeLongAgo, exportText, importText } from "../support/shops/moves.ts";
import { RandomChanges } from "../support/shops/random-changes.ts";
import { useWorld } from "../support/world.ts";

const CHANGES = timesFactor(300);
/** Kills of each kind of process. */
const KILLS = 2;
/** Seconds. */
const LEASE = 5;
const kinds = ["api", "worker", "consumer"] as const;

/** Logs each lease. A change of this time is a lease. */
const logLeases = [
  "create table leases (place serial, delivery_id text, began_at timestamptz, ends_at timestamptz)",
  `create function log_lease() returns trigger language plpgsql as $$ begin
     insert into leases (delivery_id, began_at, ends_at) values (new.id, new.attempted_at, new.next_attempt_at);
     return null;
   end $$`,
  `create trigger log_lease after update on outstanding_deliveries
   for each row when (new.attempted_at is distinct from old.attempted_at) execute function log_lease()`,
];

describe("Events that are pulled", function () {
  this.timeout(180_000 + CHANGES * 100);
  const encryptionKeys = [{ name: "pulled", key: randomBytes(32) }];
  const world = useWorld({ config: { encryptionKeys } });
  const target = useServer({ config: { encryptionKeys } });
  const { run, shop } = world;
  let consumer: Consumer;
  let running: Partial<Record<"api" | "worker", ServerProcess>>;
  let options: Parameters<Consumer["start"]>[0];
  let changes: RandomChanges;
  const fallen: string[] = [];

  before(async () => {
    for (const { databaseUrl } of [world.server, target]) {
      for (const statement of logLeases) await query(databaseUrl, statement);
    }
  });
  beforeEach(async () => {
    const { id: endpointId } = await run("createPullEndpoint", { input: { topics: topicNames } });
    const records = ["PRODUCTS", "CUSTOMERS", "ORDERS"].flatMap((name) => [`READ_${name}`, `WRITE_${name}`]);
    const input = { name: "ERP", permissions: ["RECEIVE_EVENTS", ...records] };
    const { secret: token } = await run("createServiceToken", { input });
    options = { url: `http://127.0.0.1:${await findFreePort()}`, token, shopId: shop.id, endpointId, lease: LEASE };
    consumer = new Consumer();
    running = {};
    changes = new RandomChanges(options);
  });
  afterEach(async () => {
    await changes.stop();
    await Promise.all([consumer.kill(), ...Object.values(running).map((server) => server.kill())]);
  });

  /** Starts what does not run. */
  async function start({ databaseUrl }: TestServer): Promise<void> {
    if (!consumer.isRunning) await consumer.start(options);
    const startServer = async (command: "api" | "worker", port = 0) => {
      if (running[command]?.isRunning) return;
      running[command] = new ServerProcess({ command, databaseUrl, encryptionKeys, port });
      await running[command].started();
    };
    await Promise.all([startServer("api", Number(new URL(options.url).port)), startServer("worker")]);
  }

  const kill = (kind: (typeof kinds)[number]) => (kind === "consumer" ? consumer : running[kind])!.kill();

  /** Kills each kind of process, several times, until there are this many changes. */
  async function killUntil(count: number, on: TestServer): Promise<void> {
    for (let kills = 0; kills < KILLS * kinds.length || changes.confirmed < count; kills += 1) {
      await start(on);
      await wait(300 + Math.random() * 1_000);
      fallen.push(...Object.values(running).flatMap(({ hasFallen, output }) => (hasFallen ? [output] : [])));
      await kill(kinds[kills % kinds.length]!);
    }
    await start(on);
  }

  async function expectAllAcknowledged({ databaseUrl }: TestServer): Promise<void> {
    const sql = <Row>(text: string) => query<Row>(databaseUrl, text, [shop.id]);
    const outstanding = () => sql("select id from outstanding_deliveries where shop_id = $1");
    await eventually(outstanding, (rows) => rows.length === 0, 60_000);
    const events = await sql<{ id: string; product: string }>(
      "select id, body::json->'data'->>'productId' as product from events where shop_id = $1 order by id",
    );
    expect(consumer.handled()).to.deep.equal(events.map(({ id }) => id));
    const products = new Set(events.map(({ product }) => product));
    expect(
      changes.created.filter((id) => !products.has(id)),
      "changes without an event",
    ).to.deep.equal([]);
    const early = await query(
      databaseUrl,
      `select from (
         select began_at, max(ends_at) over (partition by delivery_id order by place rows between unbounded preceding and 1 preceding) as free_at
         from leases
       ) lease where began_at < free_at`,
    );
    expect(early, "events leased again before their lease ended").to.have.length(0);
    expect(fallen.join("\n"), "processes that nobody killed, and that ended").to.equal("");
    const [{ repeats }] = (await query<{ repeats: string }>(
      databaseUrl,
      "select count(*) - count(distinct delivery_id) as repeats from leases",
    )) as [{ repeats: string }];
    console.log(`      ${changes.confirmed} changes, ${events.length} events, ${repeats} received again`);
  }

  it("are handled and acknowledged once each, whatever is killed", async () => {
    await killUntil(CHANGES, world.server);
    await changes.stop();
    await expectAllAcknowledged(world.server);
  });

  it("are handled and acknowledged once each while the shop moves", async () => {
    await start(world.server);
    await eventually(
      () => changes.confirmed,
      (count) => count >= CHANGES / 2,
      CHANGES * 100,
    );
    await closeLongAgo(world.server, shop);
    const file = await exportText(world.server, shop);
    await Promise.all([kill("api"), kill("worker")]);
    await importText(target, file);
    await killUntil(CHANGES, target);
    await changes.stop();
    await expectAllAcknowledged(target);
  });
});
