import { expect } from "chai";
import { retryDelay } from "../../src/jobs/sending/retry-schedule.ts";

const now = new Date("2026-01-31T09:30:00.000Z");
const DAY = 86_400;

/** Seconds until the next attempt. */
function wait(attempts: number, retryAfter: string | null): number {
  return retryDelay({ attempts, now, retryAfter, random: 0.5 })! / 1_000;
}

describe("Retry-After", () => {
  it("delays the next attempt, in seconds or until a date, for up to a day", () => {
    for (const [text, seconds] of [
      ["120", 120],
      ["86400", DAY],
      ["86401", DAY],
      ["999999999", DAY],
      ["99999999999", DAY],
      ["9".repeat(400), DAY],
      ["Sat, 31 Jan 2026 09:40:00 GMT", 600],
      ["Tue, 31 Jan 2029 09:40:00 GMT", DAY],
      ["Saturday, 31-Jan-26 09:40:00 GMT", 600],
      ["Wednesday, 31-Jan-29 09:40:00 GMT", DAY],
      ["Sat Jan 31 09:40:00 2026", 600],
      ["Sun Feb  1 09:29:59 2026", DAY - 1],
    ] as const) {
      expect(wait(1, text), text).to.equal(seconds);
    }
  });

  it("does not advance it, and is ignored when it is malformed", () => {
    for (const text of [
      "0",
      "1",
      "-5",
      "1.5",
      "1e9",
      "soon",
      "",
      " 120",
      "2026-01-31T09:40:00Z",
      "Sat, 31 Jan 2026 09:00:00 GMT",
      "Sat, 99 Jan 2026 09:40:00 GMT",
      "Sunday, 06-Nov-94 08:49:37 GMT",
      "Sun Nov  6 08:49:37 1994",
      "Saturday, 31-Jan-2026 09:40:00 GMT",
      "Sat Jan 31 09:40:00 2026 GMT",
      "Sat Jan 31 09:40:00 26",
    ]) {
      expect(wait(1, text), text).to.equal(5);
      expect(wait(9, text), text).to.equal(DAY);
    }
  });
});

describe("Ten attempts over thousands of seeds", () => {
  it("are in order, each within 20 % of its time, and end after about three days", () => {
    const waits = [5, 60, 300, 1_800, 7_200, 21_600, 43_200, DAY, DAY];
    const total = waits.reduce((sum, seconds) => sum + seconds, 0);
    let seed = 1;
    const random = () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed / 2_147_483_647;
    };
    for (let run = 0; run < 5_000; run += 1) {
      let all = 0;
      for (const [index, seconds] of waits.entries()) {
        const waited = retryDelay({ attempts: index + 1, now, random: random() })! / 1_000;
        if (waited < seconds * 0.8 - 0.001 || waited > seconds * 1.2 + 0.001)
          throw new Error(`${waited} of ${seconds}`);
        all += waited;
      }
      expect(retryDelay({ attempts: 10, now, random: random() })).to.equal(undefined);
      expect(all).to.be.within(total * 0.8, total * 1.2);
    }
  });
});
