import type { Config } from "../config.ts";
import { blameDataDir } from "./blame-data-dir.ts";
import { progress } from "../platform/process/progress.ts";
import { shutdownSignal } from "../platform/process/shutdown-signal.ts";

/** Requests and attempts take 10 seconds each; what runs us often ends us after 30. Milliseconds. */
const STOP_DEADLINE = 25_000;

/** Undoes something that was begun. */
export type Stop = () => Promise<void>;

/** Does `work`, and then undoes in the reverse order what it has begun. A signal may come before it is done. */
export async function withStops(
  config: Config,
  work: (stops: Stop[], signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const stops: Stop[] = [];
  const signal = listenForStop(config);
  const faults: unknown[] = [];
  let isBrokenOff = false;
  try {
    await work(stops, signal);
  } catch (error) {
    isBrokenOff = signal.aborted;
    if (isBrokenOff) progress("Stopping");
    else faults.push(await blameDataDir(config, error));
  }
  // What cannot be undone does not keep the rest running, PostgreSQL above all.
  while (stops.length > 0) await stops.pop()!().catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
  // A question at the terminal, for one, would keep the process.
  if (isBrokenOff) process.exit(1);
}

/** Aborted when the process is asked to end. It cannot be left to the signal: nothing ends the first process of a container. */
function listenForStop({ shutdownDelay }: Config): AbortSignal {
  const asked = new AbortController();
  void shutdownSignal().then(() => {
    endInAnyCase(shutdownDelay * 1_000 + STOP_DEADLINE);
    asked.abort();
  });
  return asked.signal;
}

/** Ends the process though something hangs, as when the database is away. The next process does that again. */
function endInAnyCase(deadline: number): void {
  const end = () => {
    progress("Not everything stopped in time");
    process.exit(1);
  };
  setTimeout(end, deadline).unref();
}
