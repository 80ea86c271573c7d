import { once } from "node:events";
import type { App } from "../app.ts";
import { readConfig, type Config, type Use } from "../config.ts";
import { openApp } from "./open-app.ts";
import { withCleanup } from "./cleanup.ts";

/** Runs a single task with the database. Long tasks must abort on `signal`, or the process would wait for them. */
export async function runOnce(
  work: (app: App, config: Config, signal: AbortSignal) => Promise<void>,
  use: Use = "database",
  { patience }: { patience?: number | undefined } = {},
): Promise<void> {
  const config = readConfig(process.env, use);
  await withCleanup(config, async (stops, signal) => {
    // Logs go to standard error, so that standard output has only the command's result, for scripts.
    const app = await openApp(config, { stops, signal, share: true, patience, logTo: 2 });
    await Promise.race([work(app, config, signal), once(signal, "abort")]);
    signal.throwIfAborted();
  });
}
