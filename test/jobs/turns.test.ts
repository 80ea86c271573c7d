import { expect } from "chai";
import { Turns } from "../../src/jobs/turns.ts";

const anyone = () => true;

function turnsOf(...keys: string[]): Turns {
  const turns = new Turns();
  for (const key of keys) turns.add({ shopId: key[0]!, endpointId: key });
  return turns;
}

const take = (turns: Turns, count: number, mayGo: Parameters<Turns["take"]>[1] = anyone) =>
  turns.take(count, mayGo).map(({ endpointId }) => endpointId);

describe("Turns", () => {
  it("go round the shops, and within a shop in the order of asking", () => {
    const turns = turnsOf("a1", "a2", "a3", "b1", "c1", "c2");
    expect(take(turns, 4)).to.deep.equal(["a1", "b1", "c1", "a2"]);
    expect(take(turns, 10)).to.have.members(["c2", "a3"]);
    expect(take(turns, 10)).to.deep.equal([]);
  });

  it("put a shop that had its turn behind the others", () => {
    const turns = turnsOf("a1", "a2", "b1");
    expect(take(turns, 1)).to.deep.equal(["a1"]);
    turns.add({ shopId: "a", endpointId: "a1" });
    expect(take(turns, 1)).to.deep.equal(["b1"]);
  });

  it("keep the turn of who may not go now", () => {
    const turns = turnsOf("a1", "a2", "b1");
    expect(take(turns, 9, ({ endpointId }) => endpointId !== "a1")).to.deep.equal(["a2", "b1"]);
    expect(take(turns, 9)).to.deep.equal(["a1"]);
  });

  it("name an endpoint once, however often it is woken", () => {
    expect(take(turnsOf("a1", "a1", "a1"), 9)).to.deep.equal(["a1"]);
  });
});
