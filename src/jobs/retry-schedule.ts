const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Waits between the ten attempts. Milliseconds. */
const waits = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR, 12 * HOUR, 24 * HOUR, 24 * HOUR];
const JITTER = 0.2;

/** When to try again after this many attempts; undefined when they are used up. `random` is in [0, 1). */
export function nextAttemptAt(attempts: number, now: Date, random = Math.random()): Date | undefined {
  const wait = waits[attempts - 1];
  if (wait === undefined) return undefined;
  return new Date(now.getTime() + wait * (1 + JITTER * (2 * random - 1)));
}
