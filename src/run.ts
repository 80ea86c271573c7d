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
  const stops: Stop[] = [];
  try {
    const app = await openApp(config, stops, { share: false });
    if (faces.api && faces.worker) {
      progress("Migrating the database");
      await app.migrate();
    }
    await refuseUnready(app);
    const isEmbedded = config.database.kind === "embedded";
    const demo = isEmbedded
      ? await ensureDemo(app.core.orm.em, { file: config.demoFile, baseUrl: config.baseUrl, onProgress: progress })
      : undefined;
    if (!faces.api && config.healthPort !== undefined) stops.push((await app.startHealth(config.healthPort)).stop);
    if (faces.worker) stops.push((await app.startWorker()).stop);
    if (faces.api) stops.push((await app.startApi()).stop);
    if (demo) console.log(welcome(demo, config));
    else progress(faces.api ? `Serving ${config.baseUrl}` : "Working");
    await untilStopped();
    progress("Stopping");
    endInAnyCase();
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
}

/** What would fail at every request or delivery is told now, where the operator looks. */
export async function refuseUnready(app: App): Promise<void> {
  const problems = await app.findProblems();
  if (problems.length > 0) throw new OperatorError(problems.map(({ message }) => message).join("\n"));
}

/** What has not ended by then, as when the database is away, is done again by the next process. */
function endInAnyCase(): void {
  const end = () => {
    progress("Not everything has ended in time");
    process.exit(1);
  };
  setTimeout(end, STOP_DEADLINE).unref();
}

/** Does one thing with the database and ends. */
export async function runOnce(work: (app: App, config: Config) => Promise<void>, use: Use = "database"): Promise<void> {
  const config = readConfig(process.env, use);
  const stops: Stop[] = [];
  try {
    await work(await openApp(config, stops, { share: true }), config);
  } finally {
    while (stops.length > 0) await stops.pop()!();
  }
}
