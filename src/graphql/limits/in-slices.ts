import { setImmediate as nextTurn } from "node:timers/promises";

/** About what takes half a millisecond to complete. */
const SLICE = 50;

/** Settles at the last turn of the event loop that is taken so far. */
let lastTurn = Promise.resolve();

/**
 * A list of records of which graphql-js completes one slice in a turn of the event loop. It would complete all of them at
 * once, and keep each other request waiting meanwhile. Lists of a single slice, and lists of scalars, are left as they are.
 *
 * @param check throws when no further records are to be completed
 */
export function inSlices(list: unknown[], check: () => void): unknown[] {
  const slices = slicesOf(list);
  if (slices.length <= 1) return list;
  let turn = Promise.resolve();
  return slices.flatMap((slice) => {
    turn = turn.then(ownTurn);
    const own = turn;
    return slice.map((record) =>
      own.then(() => {
        check();
        return record;
      }),
    );
  });
}

/** Slices of fifty objects, those in the records' own lists included: a product may have a hundred variants. */
function slicesOf(list: unknown[]): unknown[][] {
  const slices: unknown[][] = [[]];
  let objects = 0;
  for (const record of list) {
    const added = countObjects(record);
    if (objects > 0 && objects + added > SLICE) {
      slices.push([]);
      objects = 0;
    }
    slices.at(-1)!.push(record);
    objects += added;
  }
  return slices;
}

function countObjects(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  if (Array.isArray(value)) return value.reduce((sum: number, each) => sum + countObjects(each), 0);
  const lists = Object.values(value).filter(Array.isArray);
  return lists.reduce((sum: number, list) => sum + countObjects(list), 1);
}

/** Waits for a turn of the event loop that no other list has: one operation may ask for thirty lists. */
function ownTurn(): Promise<void> {
  lastTurn = lastTurn.then(() => nextTurn());
  return lastTurn;
}
