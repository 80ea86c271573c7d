import { setTimeout as wait } from "node:timers/promises";

/** Milliseconds. */
const SHORTEST = 10;
const LONGEST = 250;

/**
 * Repeats a query until its result is accepted, less often the longer it takes. @throws Error with the last result when the deadline (milliseconds) has
 * passed
 */
export async function eventually<Value>(
  ask: () => Promise<Value> | Value,
  willDo: (value: Value) => boolean,
  deadline = 30_000,
): Promise<Value> {
  const start = performance.now();
  for (;;) {
    const value = await ask();
    if (willDo(value)) return value;
    const elapsed = performance.now() - start;
    if (elapsed > deadline) throw new Error(`Not within ${deadline} ms; at last ${JSON.stringify(value)}`);
    await wait(Math.min(Math.max(SHORTEST, elapsed / 10), LONGEST));
  }
}
