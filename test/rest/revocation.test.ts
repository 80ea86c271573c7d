import { expect } from "chai";
import { Plan } from "../../src/core/model/shops/shop.entity.ts";
import { call } from "../support/client.ts";
import { eventually } from "../support/eventually.ts";
import { useWorld } from "../support/world.ts";

/** A change in the database holds for every process within a second; asking for it takes a little too. Milliseconds. */
const SOON = 1_500;

describe("A changed key or plan", () => {
  const world = useWorld();
  const { server, shop, open } = world;

  beforeEach(async () => {
    // Twice, so that the second answer comes from what the process remembers.
    for (const _ of [1, 2]) expect(await read()).to.equal(200);
  });

  async function read(): Promise<number> {
    const { status } = await world.call("GET", "/products");
    return status;
  }

  async function write() {
    return world.call("POST", "/products", { body: { title: "Mug", price: 1 } });
  }

  async function becomes(status: number, ask: () => Promise<number> = read): Promise<void> {
    await eventually(ask, (actual) => actual === status, SOON);
    // Not only for a moment.
    for (const _ of [1, 2, 3]) expect(await ask()).to.equal(status);
  }

  function change(statement: string): Promise<unknown> {
    return world.sql(statement);
  }

  const revoke = () => change("update api_keys set revoked_at = now() where shop_id = $1");

  it("refuses a deleted key", async () => {
    await change("delete from api_keys where shop_id = $1");
    await becomes(401);
  });

  it("does not affect keys of other shops", async () => {
    const other = { key: await world.key(), path: `/${shop.id}/products` };
    await open();
    expect(await read()).to.equal(200);
    await revoke();
    await becomes(401);
    expect((await call(server, "GET", other.path, other)).status).to.equal(200);
  });

  it("refuses writes after a downgrade until an upgrade, and allows reads", async () => {
    expect((await write()).status).to.equal(201);
    await change("update shops set plan = 'GROWTH' where id = $1");
    await becomes(403, async () => (await write()).status);
    expect((await write()).json.error).to.equal("Plan does not allow this scope");
    expect(await read()).to.equal(200);
    await change("update shops set plan = 'ENTERPRISE' where id = $1");
    await becomes(201, async () => (await write()).status);
  });

  it("ends a trial by the clock", async () => {
    await open({ plan: Plan.TRIAL, trialEndsAt: new Date(Date.now() + 2_000) });
    expect(await read()).to.equal(200);
    await eventually(read, (status) => status === 403, SOON + 2_000);
  });

  it("applies during a stream of requests", async () => {
    const stop = new AbortController();
    const clients = Array.from({ length: 4 }, () => [] as number[]);
    const running = clients.map(async (statuses) => {
      while (!stop.signal.aborted) statuses.push(await read());
    });
    const more = (than: number[]) =>
      eventually(
        () => clients.every((statuses, index) => statuses.length > than[index]! + 5),
        (all) => all,
      );
    await more([0, 0, 0, 0]);
    await revoke();
    await becomes(401);
    const answered = clients.map((statuses) => statuses.length);
    await more(answered);
    stop.abort();
    await Promise.all(running);
    for (const [index, statuses] of clients.entries()) {
      for (const status of statuses) expect(status).to.be.oneOf([200, 401]);
      // One that was under way may still be answered by what it began with.
      expect(new Set(statuses.slice(answered[index]! + 1))).to.deep.equal(new Set([401]));
    }
  });
});
