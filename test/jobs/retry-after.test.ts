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
