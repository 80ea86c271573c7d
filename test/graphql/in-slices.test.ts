import { expect } from "chai";
import { inSlices } from "../../src/graphql/limits/in-slices.ts";

describe("The records of a list", () => {
  const pass = () => undefined;
  const records = (length: number) => Array.from({ length }, (_, id) => ({ id }));

  /** The numbers of records that there are to be completed at the ends of those turns of the event loop that bring some. */
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

  it("are completed ten in each turn of the event loop, in their order", async () => {
    const list = records(24);
    expect(await countByTurn(inSlices(list, pass))).to.deep.equal([0, 10, 20, 24]);
    expect(await Promise.all(inSlices(list, pass))).to.deep.equal(list);
  });

  it("wait for a turn in which no other list has records to complete", async () => {
    const lists = [records(24), records(22)].flatMap((each) => inSlices(each, pass));
    expect(await countByTurn(lists)).to.deep.equal([0, 10, 20, 30, 40, 44, 46]);
  });

  it("are completed no more once there are enough", async () => {
    let completed = 0;
    const check = () => {
      if (completed >= 20) throw new Error("enough");
    };
    const all = inSlices(records(36), check).map(async (record) => (await record, (completed += 1)));
    const results = await Promise.allSettled(all);
    expect(results.filter(({ status }) => status === "fulfilled")).to.have.length(20);
  });

  it("are left as they are where they are few, or scalars", () => {
    for (const list of [records(10), Array.from({ length: 120 }, String)]) expect(inSlices(list, pass)).to.equal(list);
  });
});
