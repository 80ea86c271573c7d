import { setImmediate as turn } from "node:timers/promises";
import { expect } from "chai";
import { FakeDeliveries } from "../support/fake-deliveries.ts";

const shopOf = (endpointId: string) => endpointId[0]!;
const keyOf = (endpointId: string) => ({ shopId: shopOf(endpointId), endpointId });

describe("Dispatcher", () => {
  let fake: FakeDeliveries;
  const { now } = performance;
  /** Milliseconds that the clock is ahead. */
  let later = 0;

  beforeEach(() => {
    fake = new FakeDeliveries();
    later = 0;
    performance.now = () => now.call(performance) + later;
  });

  afterEach(async () => {
    performance.now = now;
    fake.letAllEnd();
    await fake.dispatcher.stop();
  });

  const wake = async (...endpointIds: string[]) => {
    fake.dispatcher.wake(endpointIds.map(keyOf));
    await turn();
  };
  const hear = async (...endpointIds: string[]) => {
    fake.dispatcher.wake(endpointIds.map(keyOf), { isToldByJob: true });
    await turn();
  };

  /** Gives up after a thousand turns: the test is to tell how many were begun. */
  const untilBegun = async (count: number) => {
    for (let turns = 0; turns < 1_000 && fake.begun.length < count; turns += 1) await turn();
  };

  describe("an endpoint", () => {
    it("has twenty attempts at a time, and the next when one of them succeeds", async () => {
      fake.make("a1", 30);
      await wake("a1");
      expect(fake.running("a1")).to.have.length(20);
      await fake.succeed("a1-1");
      expect(fake.running("a1")).to.include("a1-21").and.to.have.length(20);
    });

    it("is sent everything, once and in order", async () => {
      fake.make("a1", 500);
      fake.answersAtOnce = true;
      await wake("a1");
      await fake.idle();
      expect(fake.begun).to.deep.equal(Array.from({ length: 500 }, (_, index) => `a1-${index + 1}`));
    });

    it("that has much is sent also what became due before that, without being woken for it again", async () => {
      fake.make("a1", 100);
      await wake("a1");
      fake.makeEarlier("a1", "early");
      fake.answersAtOnce = true;
      fake.letAllEnd();
      await fake.idle();
      expect(fake.begun).to.have.length(101).and.to.include("early");
    });

    it("is read on while what was sent is not written down yet", async () => {
      const release = fake.holdRecords();
      fake.make("a1", 500);
      fake.answersAtOnce = true;
      await wake("a1");
      await untilBegun(500);
      expect(fake.begun).to.have.length(500);
      release();
    });

    it("is not sent a second time what becomes due later while it is under way", async () => {
      fake.make("a1", 300);
      await wake("a1");
      fake.makeLater("a1", "a1-1");
      fake.answersAtOnce = true;
      for (const id of fake.running("a1").slice(1)) await fake.succeed(id);
      await untilBegun(300);
      await turn();
      expect(new Set(fake.begun).size).to.equal(300);
      expect(fake.begun).to.have.length(300);
      await fake.succeed("a1-1");
      await fake.idle();
      expect(fake.begun).to.have.length(300);
    });

    it("is read again for what it is woken for during a read", async () => {
      const release = fake.holdReads();
      fake.make("a1", 1);
      await wake("a1");
      fake.make("a1", 1);
      await wake("a1");
      release();
      await turn();
      expect(fake.running("a1")).to.have.length(2);
    });

    it("keeps what is read of it while it is tidied up", async () => {
      const release = fake.holdReads();
      fake.make("a1", 3);
      await wake("a1");
      await fake.dispatcher.tidy();
      expect(fake.letGo).to.deep.equal([]);
      release();
      await turn();
      expect(fake.running("a1")).to.have.length(3);
    });

    it("is let go of when it has nothing to do, and not before all is written down", async () => {
      fake.make("a1", 1);
      const write = fake.holdRecords();
      await wake("a1");
      await fake.dispatcher.tidy();
      await fake.succeed("a1-1");
      await fake.dispatcher.tidy();
      expect(fake.letGo).to.deep.equal([]);
      write();
      await turn();
      await fake.dispatcher.tidy();
      expect(fake.letGo).to.deep.equal(["a1"]);
    });

    it("is read again after a read that failed", async () => {
      fake.make("a1", 1);
      fake.readError = new Error("away");
      await wake("a1");
      expect(fake.begun).to.deep.equal([]);
      fake.readError = undefined;
      await wake("b1");
      expect(fake.begun).to.deep.equal(["a1-1"]);
    });

    it("is sent nothing that was read long ago", async () => {
      fake.make("a1", 30);
      await wake("a1");
      await fake.succeed("a1-1");
      later = 2_000;
      fake.drop("a1");
      await fake.dispatcher.tidy();
      for (let place = 2; place <= 20; place += 1) await fake.succeed(`a1-${place}`);
      expect(fake.begun).to.have.length(21);
    });

    it("is sent nothing that was read when others could take it", async () => {
      fake.make("a1", 30);
      await wake("a1");
      await fake.succeed("a1-1");
      fake.drop("a1");
      fake.dispatcher.forget();
      await fake.succeed("a1-2");
      expect(fake.begun).to.have.length(21);
    });
  });

  describe("after a failure", () => {
    it("keeps the place until that is written down", async () => {
      fake.make("a1", 30);
      await wake("a1");
      const write = fake.holdRecords();
      await fake.fail("a1-1");
      expect(fake.begun).to.have.length(20);
      write();
      await turn();
      expect(fake.begun).to.have.length(21);
    });

    it("drops what was read ahead", async () => {
      fake.make("a1", 30);
      await wake("a1");
      await fake.succeed("a1-1");
      expect(fake.begun).to.have.length(21);
      // Its circuit opens.
      fake.drop("a1");
      await fake.fail("a1-2");
      await fake.succeed("a1-3");
      expect(fake.begun).to.have.length(21);
    });

    it("drops what is being read just then", async () => {
      fake.make("a1", 5);
      await wake("a1");
      fake.make("a1", 5);
      const release = fake.holdReads();
      await wake("a1");
      fake.drop("a1");
      await fake.fail("a1-1");
      release();
      await turn();
      expect(fake.begun).to.have.length(5);
    });

    it("has the next success say so, although its delivery was read before", async () => {
      fake.make("a1", 4);
      await wake("a1");
      await fake.fail("a1-1");
      for (const id of ["a1-2", "a1-3"]) await fake.succeed(id);
      await fake.fail("a1-4");
      fake.make("a1", 1);
      await wake("a1");
      await fake.succeed("a1-5");
      expect(fake.recorded.map(({ delivery }) => delivery.isFailing)).to.deep.equal([false, true, false, false, true]);
    });

    it("of ours puts the delivery off, and goes on with the others", async () => {
      fake.make("a1", 21);
      await wake("a1");
      await fake.break("a1-1");
      expect(fake.putOff).to.deep.equal(["a1-1"]);
      expect(fake.running("a1")).to.include("a1-21").and.to.have.length(20);
    });
  });

  describe("an endpoint that was ill", () => {
    beforeEach(() => fake.suspend("a1"));

    it("is asked with one delivery, and nothing else while that is under way", async () => {
      fake.make("a1", 30);
      await wake("a1");
      await wake("a1");
      await fake.dispatcher.tidy();
      await wake("a1");
      expect(fake.begun).to.deep.equal(["a1-1"]);
      expect(fake.reads.filter((id) => id === "a1")).to.have.length(1);
    });

    it("is sent nothing more when that fails", async () => {
      fake.make("a1", 30);
      await wake("a1");
      fake.drop("a1");
      await fake.fail("a1-1");
      expect(fake.begun).to.deep.equal(["a1-1"]);
    });

    it("starts slowly when it succeeds: each success allows one more", async () => {
      fake.make("a1", 200);
      await wake("a1");
      fake.heal("a1");
      await fake.succeed("a1-1");
      for (const expected of [3, 4, 5, 6]) {
        await fake.succeed(fake.running("a1")[0]!);
        expect(fake.running("a1")).to.have.length(expected);
      }
      for (let success = 0; success < 50; success += 1) await fake.succeed(fake.running("a1")[0]!);
      expect(fake.running("a1")).to.have.length(20);
    });
  });

  describe("many endpoints", () => {
    it("of many shops have their turns", async () => {
      const many = Array.from({ length: 10 }, (_, index) => `a${index}`);
      for (const id of [...many, "b0", "c0"]) fake.make(id, 20);
      await wake(...many, "b0", "c0");
      expect(new Set(fake.begun.slice(0, 3).map(shopOf))).to.deep.equal(new Set(["a", "b", "c"]));
      expect(fake.begun.slice(0, 30).filter((id) => shopOf(id) === "b")).to.have.length(10);
    });

    it("that are slow and have much do not keep others from being read", async () => {
      const slow = Array.from({ length: 60 }, (_, index) => `a${index}`);
      for (const id of slow) fake.make(id, 1_000);
      await wake(...slow.slice(0, 40));
      // Each has a success, so that it is read ahead.
      for (const id of slow.slice(0, 40)) await fake.succeed(`${id}-1`);
      fake.make("b0", 1);
      await wake("b0");
      expect(fake.running("b0")).to.have.length(1);
    });

    it("that hang leave places for those that do not", async () => {
      const hanging = Array.from({ length: 100 }, (_, index) => `a${index}`);
      for (const id of hanging) fake.make(id, 100);
      await wake(...hanging);
      fake.make("b0", 10);
      await wake("b0");
      expect(fake.running("b0").length).to.be.at.least(5);
    });
  });

  describe("endpoints that another worker holds", () => {
    beforeEach(() => fake.elsewhere.add("a1").add("a2"));

    it("are passed on when a job told of them, once", async () => {
      await hear("a1");
      expect(fake.passedOn).to.deep.equal(["a1"]);
      await wake("a1", "a2");
      expect(fake.passedOn).to.deep.equal(["a1"]);
    });

    it("are passed on when the job tells of them during a read", async () => {
      const release = fake.holdReads();
      await wake("a1");
      await hear("a1");
      await fake.dispatcher.tidy();
      release();
      await turn();
      expect(fake.passedOn).to.include("a1");
    });

    it("do not keep what was read with them from being sent, when they cannot be told", async () => {
      fake.make("b1", 1);
      fake.wakeError = new Error("away");
      await hear("a1", "b1");
      expect(fake.begun).to.deep.equal(["b1-1"]);
    });
  });

  it("begins nothing once it is stopped, and ends when all that was begun is written down", async () => {
    fake.make("a1", 40);
    await wake("a1");
    await fake.succeed("a1-1");
    let hasStopped = false;
    const stopped = fake.dispatcher.stop().then(() => (hasStopped = true));
    const { length } = fake.begun;
    await wake("a1", "b1");
    const write = fake.holdRecords();
    fake.letAllEnd();
    await turn();
    expect(hasStopped).to.equal(false);
    write();
    await stopped;
    expect(fake.begun).to.have.length(length);
    expect(fake.recorded).to.have.length(length);
  });
});
