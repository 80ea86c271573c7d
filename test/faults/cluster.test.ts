import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { codesOf, openBrowser } from "../support/browser/browser.ts";
import { call } from "../support/client.ts";
import { isCluster, query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildShop, buildStaff, type TestStaff } from "../support/factories.ts";
import { useFaultyProxy } from "../support/postgres/faulty-proxy.ts";
import { useServer } from "../support/server.ts";
import { collectLines } from "../support/telemetry/log-lines.ts";
import { useCountingReceiver } from "../support/webhooks/counting-receiver.ts";

interface Node {
  id: number;
  name: string;
  port: number;
}

/** A shop with a key. */
interface Client {
  shop: Shop;
  key: string;
}

interface Tenant extends Client {
  staff: TestStaff;
  node: Node;
}

/** A client that creates products one after another, and tries again after 503. */
interface Load {
  created: string[];
  refused: number;
  /** The messages of refusals. */
  errors: Set<string>;
  stop: () => Promise<void>;
}

/** The outage of a node. Milliseconds. */
const OUTAGE = 10_000;
/** With the requests that each may have at once, they can hold more than all connections. */
const NEIGHBORS = 3;
const REQUESTS_EACH = 3;

describe("On a cluster", function () {
  this.timeout(300_000);
  const { logger, lines } = collectLines("error");
  const server = useServer({ worker: true, logger });
  const receiver = useCountingReceiver();
  let tenants: [Tenant, Tenant];
  let here: Tenant;
  let elsewhere: Tenant;
  const proxy = useFaultyProxy(() => `postgres://${here.node.name}:${here.node.port}`);
  const loads: Load[] = [];

  before(async function () {
    if (!(await isCluster())) this.skip();
    tenants = await buildTenants();
    [here, elsewhere] = tenants;
  });

  afterEach(async () => {
    await Promise.all(loads.splice(0).map(({ stop }) => stop()));
    if (!here) return;
    await moveNode(here.node, here.node.port);
    // Citus does so every minute.
    await sql("select recover_prepared_transactions()");
  });

  const sql = <Row>(text: string, values: unknown[] = []) => query<Row>(server.databaseUrl, text, values);

  const moveNode = ({ id, name }: Node, port: number) =>
    sql("select citus_update_node($1::int, $2::text, $3::int)", [id, name, port]);

  async function nodeOf(shopId: string): Promise<Node> {
    const [node] = await sql<Node>(
      `select nodeid as id, nodename as name, nodeport as port from pg_dist_placement join pg_dist_node using (groupid)
       where shardid = get_shard_id_for_distribution_column('products', $1::text)`,
      [shopId],
    );
    return node!;
  }

  /** Two shops on different nodes, in the order of the nodes. */
  async function buildTenants(): Promise<[Tenant, Tenant]> {
    const byNode = new Map<number, Tenant>();
    while (byNode.size < 2) {
      const shop = await buildShop(server.em);
      const node = await nodeOf(shop.id);
      if (byNode.has(node.id)) continue;
      await buildEndpoint(server, shop, receiver.url);
      const [key, staff] = [await buildKey(server.em, shop), await buildStaff(server.em, shop)];
      byNode.set(node.id, { shop, key, staff, node });
    }
    return [...byNode.values()].toSorted((one, other) => one.node.port - other.node.port) as [Tenant, Tenant];
  }

  /** Shops on the same node. */
  async function buildNeighbors({ node }: Tenant): Promise<Client[]> {
    const clients: Client[] = [];
    while (clients.length < NEIGHBORS) {
      const shop = await buildShop(server.em);
      if ((await nodeOf(shop.id)).id === node.id) clients.push({ shop, key: await buildKey(server.em, shop) });
    }
    return clients;
  }

  function startLoad({ shop, key }: Client): Load {
    const ending = new AbortController();
    const load: Load = { created: [], refused: 0, errors: new Set(), stop: async () => undefined };
    const create = async (number: number) => {
      const body = { title: `Mug ${number}`, price: 1 };
      const { status, json, headers } = await call(server, "POST", `/${shop.id}/products`, { key, body });
      if (status === 201) return void load.created.push(json.product.id);
      load.refused += 1;
      load.errors.add(json.error);
      expect({ status, retryAfter: headers.get("retry-after") }).to.deep.equal({ status: 503, retryAfter: "1" });
      await wait(100);
    };
    const running = (async () => {
      for (let number = 1; !ending.signal.aborted; number += 1) await create(number);
    })();
    load.stop = async () => {
      ending.abort();
      await running;
    };
    loads.push(load);
    return load;
  }

  const untilMore = (load: Load) => {
    const before = load.created.length;
    return eventually(
      () => load.created.length,
      (count) => count > before + 10,
    );
  };

  const untilMoreDelivered = async ({ shop }: Tenant) => {
    const count = async () => {
      const [row] = await sql<{ count: number }>(
        "select count(*)::int as count from delivery_attempts where shop_id = $1",
        [shop.id],
      );
      return row!.count;
    };
    const before = await count();
    await eventually(count, (now) => now > before + 10);
  };

  /** Every acknowledged product is stored, and its event is delivered. */
  async function expectNothingLost({ shop }: Tenant, { created }: Load): Promise<void> {
    const kept = await sql<{ id: string }>("select id from products where shop_id = $1", [shop.id]);
    expect(kept.map(({ id }) => id)).to.include.members(created);
    const outstanding = () => sql("select * from outstanding_deliveries where shop_id = $1", [shop.id]);
    // Transactions that were committing when the node went down hold their locks until Citus recovers them, once a minute.
    await eventually(outstanding, (rows) => rows.length === 0, 90_000);
    const events = await sql<{ id: string }>("select id from events where shop_id = $1", [shop.id]);
    expect(events.length).to.be.at.least(created.length);
    expect(events.filter(({ id }) => !receiver.received.has(id))).to.deep.equal([]);
    expect(lines.filter(({ msg }) => msg === "a delivery could not be attempted")).to.deep.equal([]);
  }

  const stopNode = async () => {
    await moveNode(here.node, Number(new URL(proxy.through(server.databaseUrl)).port));
    const [load, other] = [startLoad(here), startLoad(elsewhere)];
    await Promise.all([load, other].map(untilMore));
    proxy.cut();
    await wait(OUTAGE / 2);
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    const whileDown = load.created.length;
    await untilMore(other);
    await untilMoreDelivered(elsewhere);
    expect(codesOf(await openBrowser(server).logIn(elsewhere.staff))).to.deep.equal([]);
    await wait(OUTAGE / 2);
    expect(load.created.length).to.equal(whileDown);
    proxy.mend();
    await untilMore(load);
    await Promise.all([load.stop(), other.stop()]);
    expect(load.refused).to.be.above(0);
    expect(other.refused).to.equal(0);
    await expectNothingLost(here, load);
    await expectNothingLost(elsewhere, other);
  };

  it("stops the shops of a node that is down, and no others, and loses nothing", async () => {
    await stopNode();
  });

  it("does so for the other node, too", async () => {
    [elsewhere, here] = tenants;
    await stopNode();
  });

  it("stays ready while a node hangs, and refuses its shops what would take the connections of others", async () => {
    [here, elsewhere] = tenants;
    const clients = [here, ...(await buildNeighbors(here))];
    await moveNode(here.node, Number(new URL(proxy.through(server.databaseUrl)).port));
    const other = startLoad(elsewhere);
    const crowd = clients.flatMap((client) => Array.from({ length: REQUESTS_EACH }, () => startLoad(client)));
    await Promise.all([other, ...crowd].map(untilMore));
    // As each process does when it starts.
    expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
    proxy.hang();
    for (let second = 0; second < OUTAGE; second += 1_000) {
      expect((await fetch(`${server.url}/readyz`)).status).to.equal(200);
      await wait(1_000);
    }
    await untilMore(other);
    expect(new Set(crowd.flatMap(({ errors }) => [...errors]))).to.include("Too many requests at once");
    proxy.mend();
    await Promise.all(crowd.map(untilMore));
    await Promise.all([other, ...crowd].map(({ stop }) => stop()));
    expect(other.refused).to.equal(0);
    const created = crowd.slice(0, REQUESTS_EACH).flatMap((load) => load.created);
    await expectNothingLost(here, { ...crowd[0]!, created });
    await expectNothingLost(elsewhere, other);
  });

  it("moves a shop to another node while it is written to, and loses nothing", async () => {
    const load = startLoad(here);
    await untilMore(load);
    const [isolated] = await sql<{ shard: string }>(
      "select isolate_tenant_to_new_shard('products', $1::text, 'CASCADE', 'block_writes') as shard",
      [here.shop.id],
    );
    await untilMore(load);
    // As docs/scaling.md says: replication slots wait for running transactions.
    await sql(`select run_command_on_workers(format($$
      set citus.enable_ddl_propagation to off; alter database %I reset lock_timeout $$, current_database()))`);
    await sql("select citus_move_shard_placement($1::bigint, $2::text, $3::int, $4::text, $5::int, 'force_logical')", [
      isolated!.shard,
      ...[here, elsewhere].flatMap(({ node }) => [node.name, node.port]),
    ]);
    await untilMore(load);
    await load.stop();
    expect((await nodeOf(here.shop.id)).id).to.equal(elsewhere.node.id);
    await expectNothingLost(here, load);
  });
});
