import { setFlagsFromString } from "node:v8";
import { apiAddress, healthAddress, metricsAddress, readConfig, type Config } from "../../config.ts";
import type { App } from "../../app.ts";
import { describe } from "../../health/check.ts";
import { checkDescriptors } from "../../health/check-machine.ts";
import { checkSettings } from "../../health/check-settings.ts";
import { requireListenable, type ListenAddress } from "../../platform/http/listen.ts";
import { progress, shutdownSignal } from "../../platform/terminal.ts";
import { openApp, refuseUnready } from "../open-app.ts";
import { withCleanup, type Stop } from "../cleanup.ts";

/** Runs until SIGINT or SIGTERM, then stops all parts in reverse order. */
export async function serve(parts: { api: boolean; worker: boolean }): Promise<void> {
  const config = readConfig(process.env, "everything");
  // V8 would let a worker grow to 500 MB, of which 70 are in use, while it checks a large file.
  if (parts.worker) setFlagsFromString("--memory-saver-mode");
  // Checked first, because a start takes ten seconds.
  for (const address of listAddresses(parts, config)) await requireListenable(address);
  await withCleanup(config, async (stops, signal) => {
    const opening = openApp(config, { stops, signal, share: false, patience: Infinity, logTo: 1 });
    // Loads the parts that start last while PostgreSQL starts.
    const loading = [parts.api && import("../../api.ts"), parts.worker && import("../../jobs/worker.ts")];
    const [app] = await Promise.all([opening, ...loading]);
    if (config.tracedPart !== undefined) stops.push(await startTracing(config.tracedPart, app));
    if (parts.api && parts.worker) {
      progress("Migrating the database");
      await app.migrate();
      signal.throwIfAborted();
    }
    await refuseUnready(app, { signal, patience: Infinity });
    const welcome = config.database.kind === "embedded" ? await openDemo(app, config) : undefined;
    signal.throwIfAborted();
    for (const finding of [...checkSettings(config), ...checkDescriptors()]) progress(describe(finding));
    await startParts(app, parts, config, stops);
    signal.throwIfAborted();
    if (welcome !== undefined) console.log(welcome);
    else progress(parts.api ? `Serving ${config.baseUrl}` : "Working");
    await shutdownSignal();
    progress("Stopping");
  });
}

/** Makes the demo unless it exists, and returns what to tell about it. */
async function openDemo({ core }: App, config: Config): Promise<string> {
  const { ensureDemo, welcome } = await import("../../demo/create-demo.ts");
  const { demoFile: file, baseUrl } = config;
  return welcome(await ensureDemo(core.orm.em, { file, baseUrl, onProgress: progress }), config);
}

/** Loads OpenTelemetry only when it is used. */
async function startTracing(part: number, { core }: App): Promise<Stop> {
  const sdk = await import("../../platform/telemetry/tracing-sdk.ts");
  return sdk.startTracing(part, core.logger);
}

function listAddresses(parts: { api: boolean }, { host, port, healthPort, metrics }: Config): ListenAddress[] {
  const addresses = metrics ? [metricsAddress(metrics)] : [];
  if (parts.api) return [...addresses, apiAddress({ host, port })];
  return healthPort === undefined ? addresses : [...addresses, healthAddress(host, healthPort)];
}

async function startParts(
  app: App,
  parts: { api: boolean; worker: boolean },
  { healthPort, metrics }: Config,
  stops: Stop[],
): Promise<void> {
  if (metrics) stops.push((await app.startMetrics(metrics)).stop);
  if (!parts.api && healthPort !== undefined) stops.push((await app.startHealth(healthPort)).stop);
  if (parts.worker) stops.push((await app.startWorker()).stop);
  if (parts.api) stops.push((await app.startApi()).stop);
}
