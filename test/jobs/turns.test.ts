import { expect } from "chai";
import { Turns } from "../../src/jobs/turns.ts";

function turnsOf(...keys: string[]): Turns {
  const turns = new Turns();
  for (const key of keys) turns.add({ shopId: key[0]!, endpointId: key });
  return turns;
}

const take = (turns: Turns, count: number) =>
  Array.from({ length: count }, () => turns.next()?.endpointId).filter((id) => id !== undefined);

describe("Turns", () => {
  it("go round the shops, and within a shop in the order of asking", () => {
    const turns = turnsOf("a1", "a2", "a3", "b1", "c1", "c2");
    expect(take(turns, 10)).to.deep.equal(["a1", "b1", "c1", "a2", "c2", "a3"]);
    expect(turns.next()).to.equal(undefined);
  });

  it("put a shop that had its turn behind the others", () => {
    const turns = turnsOf("a1", "a2", "b1");
    expect(take(turns, 1)).to.deep.equal(["a1"]);
    turns.add({ shopId: "a", endpointId: "a1" });
    expect(take(turns, 3)).to.deep.equal(["b1", "a2", "a1"]);
  });

  it("name an endpoint once, however often it is woken", () => {
    expect(take(turnsOf("a1", "a1", "a1"), 9)).to.deep.equal(["a1"]);
  });
});
