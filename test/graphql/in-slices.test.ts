import { expect } from "chai";
import { inSlices } from "../../src/graphql/limits/in-slices.ts";

describe("The records of a list", () => {
  const records = (length: number) => Array.from({ length }, (_, id) => ({ id }));

  /** The number of records that there are to be completed by the end of each turn of the event loop. */
  async function countByTurn(list: unknown[]): Promise<number[]> {
    let completed = 0;
    const all = Promise.all(list.map(async (record) => (await record, (completed += 1))));
    const counts = [];
    do {
      await new Promise((resolve) => void process.nextTick(resolve));
      counts.push(completed);
      await new Promise((resolve) => void setImmediate(resolve));
    } while (counts.at(-1)! < list.length);
    await all;
    return counts;
  }

  it("are completed fifty in each turn of the event loop, in their order", async () => {
    const list = records(120);
    expect(await countByTurn(inSlices(list))).to.deep.equal([50, 100, 120]);
    expect(await Promise.all(inSlices(list))).to.deep.equal(list);
  });

  it("are left as they are where they are few, or scalars", () => {
    for (const list of [records(50), Array.from({ length: 120 }, String)]) expect(inSlices(list)).to.equal(list);
  });
});
