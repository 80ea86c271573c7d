import { setImmediate as nextTurn } from "node:timers/promises";
import { expect } from "chai";
import { ownTurns } from "../../../src/platform/overload/own-turns.ts";

describe("Own turns", () => {
  it("continue one caller in each turn of the event loop, in order", async () => {
    const ownTurn = ownTurns();
    const events: string[] = [];
    for (const caller of "abc") void ownTurn().then(() => events.push(caller));
    for (let turn = 0; turn < 4; turn += 1) {
      await nextTurn();
      events.push("turn");
    }
    expect(events.join(" ")).to.match(/^(turn )?a turn b turn c( turn)*$/);
  });
});
