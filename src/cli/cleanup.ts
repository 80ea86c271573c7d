import type { Config } from "../config.ts";
import { blameDataDir } from "./explain.ts";
import { progress, shutdownSignal } from "../platform/terminal.ts";

/** Requests and attempts take up to 10 seconds each, and process managers often kill after 30. Milliseconds. */
const STOP_DEADLINE = 25_000;

/** Undoes a step of the start. */
export type Stop = () => Promise<void>;

/** Runs `work`, then its cleanup steps in reverse order. A signal may interrupt it. */
export async function withCleanup(
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
  // A failing step must not keep the others running, above all PostgreSQL.
  while (stops.length > 0) await stops.pop()!().catch((error: unknown) => faults.push(error));
  if (faults.length > 0) throw faults[0];
  // Forced, because an open prompt, for example, would keep the process alive.
  if (isBrokenOff) process.exit(1);
}

/** Aborts when the process is asked to end. The signal alone does not end the first process of a container. */
function listenForStop({ shutdownDelay }: Config): AbortSignal {
  const asked = new AbortController();
  void shutdownSignal().then(() => {
    endInAnyCase(shutdownDelay * 1_000 + STOP_DEADLINE);
    asked.abort();
  });
  return asked.signal;
}

/**
 * Exits after the deadline, even if a step hangs because the database is unreachable. Unfinished work is repeated by
 * the next process.
 */
function endInAnyCase(deadline: number): void {
  const end = () => {
    progress("Not everything stopped in time");
    process.exit(1);
  };
  setTimeout(end, deadline).unref();
}
