import { once } from "node:events";
import type { App } from "../app.ts";
import { readConfig, type Config, type Use } from "../config.ts";
import { openApp } from "./open-app.ts";
import { withCleanup } from "./cleanup.ts";

/** Does one thing with the database and ends. What takes long breaks off by `signal`, or the end would wait for it. */
export async function runOnce(
  work: (app: App, config: Config, signal: AbortSignal) => Promise<void>,
  use: Use = "database",
  { isPatient = false } = {},
): Promise<void> {
  const config = readConfig(process.env, use);
  await withCleanup(config, async (stops, signal) => {
    // Standard output has the command's own answer alone, for scripts.
    const app = await openApp(config, { stops, signal, share: true, isPatient, logTo: 2 });
    await Promise.race([work(app, config, signal), once(signal, "abort")]);
    signal.throwIfAborted();
  });
}
