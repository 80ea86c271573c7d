import { setTimeout as wait } from "node:timers/promises";
import { expect } from "chai";
import type { Shop } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { query } from "../support/database.ts";
import { eventually } from "../support/eventually.ts";
import { buildEndpoint, buildKey, buildShop, buildStaff } from "../support/factories.ts";
import { askGraphql, logIn } from "../support/graphql.ts";
import { useReceiver } from "../support/webhooks/receiver.ts";
import { useServer, type TestServer, type TestServerOptions } from "../support/server.ts";
import { SELECT_DELIVERIES } from "../support/webhooks/deliveries.ts";

const PAUSE = `mutation ($shopId: ID!, $id: ID!, $paused: Boolean!) {
  updateWebhookEndpoint(shopId: $shopId, id: $id, input: { paused: $paused }) { paused }
}`;

/** A shop with an endpoint, for the tests of this block. */
function useEndpoint(options: TestServerOptions) {
  const server: TestServer = useServer(options);
  const receiver = useReceiver();
  const world = { server, receiver, shop: {} as Shop, key: "", session: { cookie: "" }, endpointId: "" };
  beforeEach(async () => {
    const shop = await buildShop(server.em);
    const { endpoint } = await buildEndpoint(server, shop, `${receiver.url}/${shop.id}`);
    Object.assign(world, { shop, key: await buildKey(server.em, shop), endpointId: endpoint.id });
    world.session = await logIn(server, await buildStaff(server.em, shop));
  });

  const pause = async (paused: boolean) => {
    const variables = { shopId: world.shop.id, id: world.endpointId, paused };
    const { errors } = await askGraphql(server, PAUSE, variables, world.session);
    expect(errors).to.deep.equal([]);
  };
  const createProduct = async () => {
    const request = { key: world.key, body: { title: "Mug", price: 1 } };
    expect((await call(server, "POST", `/${world.shop.id}/products`, request)).status).to.equal(201);
  };
  const deliveries = () =>
    query<{ id: string; status: string; attempts: number; next_attempt_at: Date | null }>(
      server.databaseUrl,
      `${SELECT_DELIVERIES} order by id`,
      [world.shop.id],
    );
  /** Requests for this shop: a retry of an earlier test may come meanwhile. */
  const received = () => receiver.received.filter(({ path }) => path.startsWith(`/${world.shop.id}`));
  const jobs = () =>
    query<{ task: string; run_at: Date; payload: { deliveryId?: string } }>(
      server.databaseUrl,
      `select identifier as task, run_at, payload from graphile_worker._private_jobs job
       join graphile_worker._private_tasks task on task.id = task_id where payload->>'shopId' = $1 order by job.id`,
      [world.shop.id],
    );
  return { world, pause, createProduct, deliveries, received, jobs };
}

describe("A paused endpoint", () => {
  const { world, pause, createProduct, deliveries, received } = useEndpoint({ worker: true });

  it("receives nothing, and then everything once when it is resumed", async () => {
    await pause(true);
    for (const _ of [1, 2, 3]) await createProduct();
    await wait(1_500);
    expect((await deliveries()).map(({ status, attempts }) => [status, attempts])).to.deep.equal([
      ["PENDING", 0],
      ["PENDING", 0],
      ["PENDING", 0],
    ]);
    expect(received()).to.deep.equal([]);
    await pause(false);
    const all = await eventually(deliveries, (rows) => rows.every(({ status }) => status === "SUCCEEDED"));
    expect(all.map(({ attempts }) => attempts)).to.deep.equal([1, 1, 1]);
    expect(received()).to.have.length(3);
    expect(new Set(received().map(({ headers }) => headers["webhook-id"])).size).to.equal(3);
  });

  it("receives failed deliveries later, without losing attempts", async () => {
    world.receiver.status = 500;
    await createProduct();
    const [failed] = await eventually(deliveries, ([row]) => row?.attempts === 1);
    await pause(true);
    world.receiver.status = 204;
    await query(world.server.databaseUrl, "update outstanding_deliveries set next_attempt_at = now() where id = $1", [
      failed!.id,
    ]);
    await wait(1_500);
    expect((await deliveries())[0]).to.include({ status: "PENDING", attempts: 1 });
    expect(received()).to.have.length(1);
    await pause(false);
    const [row] = await eventually(deliveries, ([found]) => found!.status !== "PENDING");
    expect(row).to.include({ status: "SUCCEEDED", attempts: 2 });
  });

  it("keeps the time of its next attempt when it is resumed before", async () => {
    world.receiver.status = 500;
    await createProduct();
    const [failed] = await eventually(deliveries, ([row]) => row?.attempts === 1);
    await pause(true);
    await pause(false);
    expect(await deliveries()).to.deep.equal([failed]);
  });

  it("does not delay others", async () => {
    await pause(true);
    await buildEndpoint(world.server, world.shop, `${world.receiver.url}/${world.shop.id}/other`);
    await createProduct();
    await eventually(deliveries, (rows) => rows.some(({ status }) => status === "SUCCEEDED"));
    expect(received().map(({ path }) => path)).to.deep.equal([`/${world.shop.id}/other`]);
  });

  it("misses no delivery when it is paused and resumed during events", async () => {
    for (let round = 0; round < 5; round += 1) {
      const changes = [createProduct(), pause(true), createProduct(), createProduct()];
      await Promise.all(changes);
      await Promise.all([createProduct(), pause(false), createProduct(), createProduct()]);
    }
    const rows = await eventually(deliveries, (found) => found.every(({ status }) => status === "SUCCEEDED"));
    expect(rows).to.have.length(30);
    expect(received()).to.have.length(30);
  });
});

describe("Resuming an endpoint", () => {
  // Without a worker, so that jobs stay where they are put.
  const { pause, createProduct, jobs } = useEndpoint({});

  it("commits together with the job for its pending deliveries", async () => {
    await pause(true);
    await createProduct();
    const before = await jobs();
    await pause(true);
    expect(await jobs()).to.deep.equal(before);
    await pause(false);
    expect(await jobs()).to.have.length(before.length + 1);
    await pause(false);
    expect(await jobs()).to.have.length(before.length + 1);
  });
});
