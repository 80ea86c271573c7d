import { expect } from "chai";
import { FairQueue } from "../../src/platform/fairness/fair-queue.ts";

describe("A fair queue", () => {
  const queue = (places: number, placesEach: number) => {
    const fair = new FairQueue({ places, placesEach: () => placesEach });
    const entered: (string | undefined)[] = [];
    const enter = (...tenants: (string | undefined)[]) => {
      for (const tenant of tenants) void fair.enter(tenant).then(() => entered.push(tenant));
    };
    const settle = () => new Promise<void>((resolve) => void setImmediate(resolve));
    return { fair, entered, enter, settle };
  };

  it("gives a tenant no more places than its share, though others are free", async () => {
    const { fair, entered, enter, settle } = queue(10, 2);
    enter("a", "a", "a", "b");
    await settle();
    expect(entered).to.deep.equal(["a", "a", "b"]);
    fair.leave("a");
    await settle();
    expect(entered).to.deep.equal(["a", "a", "b", "a"]);
  });

  it("tells whether one had to wait", async () => {
    const { fair } = queue(1, 1);
    expect(await fair.enter("a")).to.equal(false);
    const waiting = fair.enter("b");
    fair.leave("a");
    expect(await waiting).to.equal(true);
  });

  it("calls tenants in turns, however many wait for one of them", async () => {
    const { fair, entered, enter, settle } = queue(1, 1);
    enter("a", "a", "a", "a", "b", "c", "b");
    await settle();
    while (entered.length < 7) {
      fair.leave(entered.at(-1));
      await settle();
    }
    expect(entered).to.deep.equal(["a", "a", "b", "c", "a", "b", "a"]);
  });

  it("passes over a tenant that has its share", async () => {
    const { fair, entered, enter, settle } = queue(2, 1);
    enter("a", "b", "a", "c");
    await settle();
    fair.leave("b");
    await settle();
    expect(entered).to.deep.equal(["a", "b", "c"]);
  });

  it("lets the service's own work have all places, in turns with the others", async () => {
    const { fair, entered, enter, settle } = queue(2, 1);
    enter(undefined, undefined, undefined, "a", undefined);
    await settle();
    fair.leave(undefined);
    fair.leave(undefined);
    await settle();
    expect(entered).to.deep.equal([undefined, undefined, undefined, "a"]);
  });

  it("keeps the turn of one who needs several places", async () => {
    const { fair, entered, enter, settle } = queue(3, 2);
    enter("a", "b", "c");
    void fair.enter("d", 2).then(() => entered.push("d, twice"));
    enter("e");
    await settle();
    fair.leave("a");
    enter("f");
    await settle();
    expect(entered).to.deep.equal(["a", "b", "c"]);
    fair.leave("b");
    await settle();
    expect(entered).to.deep.equal(["a", "b", "c", "d, twice"]);
    fair.leave("d", 2);
    await settle();
    expect(entered.slice(4)).to.deep.equal(["e", "f"]);
  });
});
