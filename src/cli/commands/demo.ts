import { ensureDemo } from "../../demo/create-demo.ts";
import { progress } from "../../platform/terminal.ts";
import { runOnce } from "../open-app.ts";

/** Creates the demo shops if they do not exist. */
export function makeDemo(): Promise<void> {
  return runOnce(async (app, { demoFile: file, baseUrl }) => {
    await app.migrate();
    await ensureDemo(app.core.orm.em, { file, baseUrl, onProgress: progress });
    progress(`API keys and logins of the demo: ${file}`);
  });
}
