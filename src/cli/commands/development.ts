import { ensureDemo } from "../../demo/create-demo.ts";
import { progress } from "../../platform/terminal.ts";
import { runOnce } from "../open-app.ts";
import { readConfig } from "../../config.ts";
import { listenForWebhooks, type ListenFlags } from "../../developer/listen.ts";
import { pullEvents, type PullFlags } from "../../developer/pull.ts";
import { describeApi } from "../../rest/openapi.ts";
import { routes } from "../../rest/router.ts";

/** Creates the demo shops if they do not exist. */
export function makeDemo(): Promise<void> {
  return runOnce(async (app, { demoFile: file, baseUrl }) => {
    await app.migrate();
    await ensureDemo(app.core.orm.em, { file, baseUrl, onProgress: progress });
    progress(`API keys and logins of the demo: ${file}`);
  });
}

/** Receives a shop's webhooks on this machine until it is stopped. */
export function listen(flags: ListenFlags): Promise<void> {
  return listenForWebhooks(readConfig(process.env, "nothing"), flags);
}

/** Fetches the events of a pull endpoint until it is stopped. */
export function pull(flags: PullFlags): Promise<void> {
  return pullEvents(readConfig(process.env, "nothing"), flags);
}

export function printOpenapi(): void {
  console.log(JSON.stringify(describeApi(routes, readConfig(process.env, "nothing").baseUrl), null, 2));
}
