import { ownTurns } from "../../platform/overload/own-turns.ts";

/** A default page fits in one slice, so its related records load together. */
const SLICE = 50;

/** One operation may have thirty lists. */
const ownTurn = ownTurns();

/**
 * Makes graphql-js complete a list of records in slices, one per turn of the event loop. Completing all at once would
 * delay every other request. Lists of scalars stay as they are.
 *
 * @param check throws when no more records should be completed
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
