import { setTimeout as wait } from "node:timers/promises";

const INTERVAL = 20;

/**
 * Repeats a query until its result is accepted. @throws Error with the last result when the deadline (milliseconds) has
 * passed
 */
export async function eventually<Value>(
  ask: () => Promise<Value> | Value,
  willDo: (value: Value) => boolean,
  deadline = 30_000,
): Promise<Value> {
  const end = performance.now() + deadline;
  for (;;) {
    const value = await ask();
    if (willDo(value)) return value;
    if (performance.now() > end) throw new Error(`Not within ${deadline} ms; at last ${JSON.stringify(value)}`);
    await wait(INTERVAL);
  }
}
