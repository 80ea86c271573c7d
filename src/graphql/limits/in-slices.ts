import { setImmediate as nextTurn } from "node:timers/promises";

/** A default page is one slice, so that what its records need is loaded at once. */
const SLICE = 50;

/** Settles at the last turn of the event loop that is taken so far. */
let lastTurn = Promise.resolve();

/**
 * A list of records of which graphql-js completes one slice in a turn of the event loop. It would complete all of them at
 * once, and keep each other request waiting meanwhile. Lists of scalars are left as they are.
 *
 * @param check throws when no further records are to be completed
 */
export function inSlices(list: unknown[], check: () => void): unknown[] {
  if (list.length <= SLICE || typeof list[0] !== "object") return list;
  let turn = Promise.resolve();
  return list.map((record, index) => {
    if (index % SLICE === 0) turn = turn.then(ownTurn);
    return turn.then(() => {
      check();
      return record;
    });
  });
}

/** Waits for a turn of the event loop that no other list has: one operation may ask for thirty lists. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
