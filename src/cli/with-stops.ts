import type { Config } from "../config.ts";
import { progress } from "../platform/progress.ts";
import { untilStopped } from "../platform/shutdown-signal.ts";

/** Undoes something that was begun. */
export type Stop = () => Promise<void>;

/** Does `work`, and then undoes in the reverse order what it has begun. A signal may come before it is done. */
export async function withStops(
  config: Config,
  work: (stops: Stop[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stops: Stop[] = [];
  const signal = listenForStop(config);
  let isBrokenOff = false;
  try {
    await work(stops, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    isBrokenOff = true;
    progress("Stopping");
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
  // A question at the terminal, for one, would keep the process.
  if (isBrokenOff) process.exit(1);
}

/**
 * Aborted when the process is asked to end and has a database of its own, which would outlive it. Without one, a signal
 * ends the process there and then until it serves.
 */
function listenForStop({ database }: Config): AbortSignal {
  const asked = new AbortController();
  if (database.kind === "embedded") {
    void untilStopped().then(() => asked.abort());
  }
  return asked.signal;
}
