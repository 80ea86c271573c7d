import { setImmediate as nextTurn } from "node:timers/promises";

/** Returns a function that waits for a turn of the event loop. Each call of it gets a turn of its own. */
export function ownTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn()));
}
