import { setImmediate } from "node:timers/promises";
import { expect } from "chai";
import { Batches, Turns } from "../../src/jobs/sending/turns.ts";

describe("Shops that take turns", () => {
  it("get the next turn with few items, and none waits forever", () => {
    const turns = new Turns<string>();
    for (let item = 0; item < 100; item += 1) turns.add("busy", "busy");
    const order: string[] = [];
    for (let turn = 0; turn < 20; turn += 1) {
      turns.add("calm", "calm");
      order.push(...turns.take(1));
    }
    expect(order.slice(0, 2)).to.include("calm");
    expect(order.filter((item) => item === "busy")).to.have.length(10);
  });

  it("are not calm in the second in which they took much", () => {
    const turns = new Turns<string>();
    const busy = Array.from({ length: 10 }, (_, index) => `busy ${index}`);
    for (const shopId of busy) {
      for (let item = 0; item < 25; item += 1) turns.add(shopId, shopId);
      turns.take(25);
    }
    for (const shopId of [...busy, "calm"]) turns.add(shopId, shopId);
    expect([...turns.take(1), ...turns.take(1)]).to.include("calm");
  });

  it("wait while they are not ready", () => {
    const turns = new Turns<string>();
    turns.add("one", "first");
    turns.add("other", "second");
    expect(turns.take(1, (shopId) => shopId === "other")).to.deep.equal(["second"]);
    expect(turns.take(1, () => false)).to.deep.equal([]);
    expect(turns.size).to.equal(1);
  });
});

describe("Batches", () => {
  const serving: { keys: string[]; end: () => void }[] = [];
  const batches = (most: number) =>
    new Batches<{ shopId: string; id: string }, string>({
      most,
      statements: 2,
      serve: async (keys) => {
        const { promise, resolve } = Promise.withResolvers<void>();
        serving.push({ keys: keys.map(({ id }) => id), end: resolve });
        await promise;
        if (keys.some(({ id }) => id === "bad")) throw new Error("Refused");
        return keys.map(({ id }) => id.toUpperCase());
      },
    });

  beforeEach(() => void serving.splice(0));

  it("serve what a shop asks with one statement at a time, a few in all", async () => {
    const loader = batches(2);
    const shops = ["one", "one", "one", "two", "three"];
    const all = shops.map((shopId, index) => loader.load({ shopId, id: `${shopId}${index}` }));
    await setImmediate();
    expect(serving).to.have.length(2);
    for (let next = 0; next < serving.length; next += 1) {
      serving[next]!.end();
      await setImmediate();
    }
    expect(serving.map(({ keys }) => keys.join()).toSorted()).to.deep.equal(["one0,one1", "one2", "three4", "two3"]);
    expect(await Promise.all(all)).to.deep.equal(["ONE0", "ONE1", "ONE2", "TWO3", "THREE4"]);
  });

  it("wait for more of a shop while it is coming, until there is enough", async () => {
    let isComing = true;
    const served: number[] = [];
    const loader = new Batches<{ shopId: string }, void>({
      most: 100,
      statements: 2,
      isComing: () => isComing,
      serve: async (keys) => {
        served.push(keys.length);
        return [];
      },
    });
    const load = (count: number) => Array.from({ length: count }, () => loader.load({ shopId: "one" }));
    const many = load(49);
    await new Promise(process.nextTick);
    expect(served).to.deep.equal([]);
    await Promise.all([...many, ...load(1)]);
    const few = load(2);
    isComing = false;
    await Promise.all([...few, ...load(1)]);
    expect(served).to.deep.equal([50, 3]);
  });

  it("refuse a bad key alone", async () => {
    const loader = batches(2);
    const all = Promise.allSettled([
      loader.load({ shopId: "one", id: "bad" }),
      loader.load({ shopId: "one", id: "a" }),
    ]);
    for (let next = 0; next < 3; next += 1) {
      await setImmediate();
      serving[next]!.end();
    }
    expect((await all).map(({ status }) => status)).to.deep.equal(["rejected", "fulfilled"]);
  });
});
