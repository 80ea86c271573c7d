import { once } from "node:events";
import type { App } from "./app.ts";
import { readConfig, type Config, type Use } from "./config.ts";
import { ensureDemo } from "./demo/create-demo.ts";
import { welcome } from "./demo/welcome.ts";
import { openApp, type Stop } from "./open-app.ts";
import { OperatorError } from "./platform/errors.ts";
import { progress } from "./platform/progress.ts";
import { untilStopped } from "./platform/until-stopped.ts";

/** Requests and attempts take 10 seconds each; what runs us often ends us after 30. Milliseconds. */
const STOP_DEADLINE = 25_000;

/** Runs until SIGINT or SIGTERM, then stops everything in the reverse order. */
export async function serve(faces: { api: boolean; worker: boolean }): Promise<void> {
  const config = readConfig(process.env, "everything");
  await withStops(config, async (stops, signal) => {
    const app = await openApp(config, { stops, signal, share: false });
    if (faces.api && faces.worker) {
      progress("Migrating the database");
      await app.migrate();
      signal.throwIfAborted();
    }
    await refuseUnready(app, signal);
    const isEmbedded = config.database.kind === "embedded";
    const demo = isEmbedded
      ? await ensureDemo(app.core.orm.em, { file: config.demoFile, baseUrl: config.baseUrl, onProgress: progress })
      : undefined;
    signal.throwIfAborted();
    await startFaces(app, faces, config, stops);
    signal.throwIfAborted();
    if (demo) console.log(welcome(demo, config));
    else progress(faces.api ? `Serving ${config.baseUrl}` : "Working");
    await untilStopped();
    progress("Stopping");
    endInAnyCase();
  });
}

async function startFaces(
  app: App,
  faces: { api: boolean; worker: boolean },
  { healthPort }: Config,
  stops: Stop[],
): Promise<void> {
  if (!faces.api && healthPort !== undefined) stops.push((await app.startHealth(healthPort)).stop);
  if (faces.worker) stops.push((await app.startWorker()).stop);
  if (faces.api) stops.push((await app.startApi()).stop);
}

/** Does one thing with the database and ends. */
export async function runOnce(work: (app: App, config: Config) => Promise<void>, use: Use = "database"): Promise<void> {
  const config = readConfig(process.env, use);
  await withStops(config, async (stops, signal) => {
    const app = await openApp(config, { stops, signal, share: true });
    await Promise.race([work(app, config), once(signal, "abort")]);
    signal.throwIfAborted();
  });
}

/** Does `work`, and then undoes in the reverse order what it has begun. A signal may come before it is done. */
async function withStops(config: Config, work: (stops: Stop[], signal: AbortSignal) => Promise<void>): Promise<void> {
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

/**
 * Waits for the database and looks whether this process can do its work.
 *
 * @throws OperatorError that says what is missing, rather than fail at each request or delivery
 */
export async function refuseUnready(app: App, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const problems = await app.findProblems();
    if (problems.length === 0) return;
    if (problems.every(({ part }) => part !== "database")) {
      throw new OperatorError(problems.map(({ message }) => message).join("\n"));
    }
    await app.reachDatabase(signal);
  }
}

/** Ends the process though something hangs, as when the database is away. The next process does that again. */
function endInAnyCase(): void {
  const end = () => {
    progress("Not everything has ended in time");
    process.exit(1);
  };
  setTimeout(end, STOP_DEADLINE).unref();
}
