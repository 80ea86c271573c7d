import { expect } from "chai";
import { inSlices } from "../../src/graphql/limits/answer-size.ts";

describe("A list in slices", () => {
  const pass = () => undefined;
  const records = (length: number) => Array.from({ length }, (_, id) => ({ id }));

  /** The number of records completed in each turn of the event loop with any. */
  async function countByTurn(list: unknown[]): Promise<number[]> {
    let completed = 0;
    const all = Promise.all(list.map(async (record) => (await record, (completed += 1))));
    const counts: number[] = [];
    do {
      await new Promise((resolve) => void process.nextTick(resolve));
      if (completed !== counts.at(-1)) counts.push(completed);
      await new Promise((resolve) => void setImmediate(resolve));
    } while (counts.at(-1)! < list.length);
    await all;
    return counts;
  }

  it("completes fifty records in each turn of the event loop, in order", async () => {
    const list = records(120);
    expect(await countByTurn(inSlices(list, pass))).to.deep.equal([0, 50, 100, 120]);
    expect(await Promise.all(inSlices(list, pass))).to.deep.equal(list);
  });

  it("waits for a turn without another list", async () => {
    const lists = [records(120), records(110)].flatMap((each) => inSlices(each, pass));
    expect(await countByTurn(lists)).to.deep.equal([0, 50, 100, 150, 200, 220, 230]);
  });

  it("stops when there are enough", async () => {
    let completed = 0;
    const check = () => {
      if (completed >= 100) throw new Error("enough");
    };
    const all = inSlices(records(180), check).map(async (record) => (await record, (completed += 1)));
    const results = await Promise.allSettled(all);
    expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(100);
  });

  it("is unchanged if it is short, or contains scalars", () => {
    for (const list of [records(50), Array.from({ length: 120 }, String)]) expect(inSlices(list, pass)).to.equal(list);
  });
});
