import { setImmediate as nextTurn } from "node:timers/promises";

/** Returns a function that waits for a turn of the event loop. Each call gets another turn. */
export function ownTurns(): () => Promise<void> {
  let last = Promise.resolve();
  return () => (last = last.then(() => nextTurn()));
}
