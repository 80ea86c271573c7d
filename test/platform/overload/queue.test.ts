import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { Queue } from "../../../src/platform/overload/permits.ts";

/** Of ten permits, a tenant may have three. */
const PERMITS = 10;

describe("The permit queue", () => {
  let queue: Queue;
  let called: string[];

  beforeEach(() => {
    queue = new Queue(PERMITS);
    called = [];
  });

  const ask = (tenants: string, cost = 1) => {
    for (const tenant of tenants) void queue.take(tenant, cost).then(() => called.push(tenant));
  };

  /** Returns permits, and lets the next request start. */
  async function giveBack(tenants: string, cost = 1): Promise<void> {
    for (const tenant of tenants) queue.giveBack(tenant, cost);
    for (let turn = 0; turn < PERMITS; turn += 1) await nextTurn();
  }

  it("gives a tenant 30 % of the permits, even if others are free", async () => {
    ask("aaaab");
    await giveBack("");
    expect(called.join("")).to.equal("aaab");
    await giveBack("a");
    expect(called.join("")).to.equal("aaaba");
    expect(queue.waiting).to.equal(0);
  });

  it("gives a tenant one of two permits", async () => {
    queue = new Queue(2);
    expect(await queue.take("a", 3)).to.equal(1);
    ask("ab");
    await giveBack("");
    expect(called.join("")).to.equal("b");
  });

  it("serves tenants in turns, those with many waiting requests later", async () => {
    ask("aaabbbcccd");
    ask("eeefg");
    for (const tenant of "abc") await giveBack(tenant);
    ask("ff");
    for (const tenant of "abc") await giveBack(tenant);
    expect(called.join("")).to.equal("aaabbbcccdefgfef");
  });

  it("serves a tenant with many waiting requests beside a stream of others with one", async () => {
    ask("aaabbbcccd");
    ask("eeeeee");
    await giveBack("");
    for (const [index, tenant] of [..."fghijklmnopqrstu"].entries()) {
      ask(tenant);
      await giveBack(called[index]!);
    }
    expect(called.slice(10).join("")).to.equal("efghijklmnopqres");
  });

  it("skips a tenant that has its share", async () => {
    ask("aaabbbcccd");
    ask("ae");
    await giveBack("d");
    expect(called.join("")).to.equal("aaabbbcccde");
  });

  it("reserves the turn of a request until all its permits are free", async () => {
    ask("aaabbbccc");
    ask("d", 3);
    ask("e");
    await giveBack("a");
    ask("f");
    await giveBack("b");
    expect(called.join("")).to.equal("aaabbbcccd");
    await giveBack("d", 3);
    expect(called.join("")).to.equal("aaabbbcccdef");
  });

  it("starts three requests in each turn of the event loop", async () => {
    const events: string[] = [];
    ask("aaabbbcccd");
    for (const tenant of "efgh") void queue.take(tenant, 1).then(() => events.push(tenant));
    await giveBack("");
    for (const tenant of "abca") queue.giveBack(tenant, 1);
    for (let turn = 0; turn < 3; turn += 1) {
      await nextTurn();
      events.push("turn");
    }
    expect(events.join(" ")).to.match(/^(turn )?e f g turn h( turn)*$/);
  });
});
