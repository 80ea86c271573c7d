import { existsSync } from "node:fs";
import puppeteer, { type Browser } from "puppeteer-core";

const candidates = [
  process.env.CHROMIUM,
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];
const executablePath = candidates.find((path) => path !== undefined && existsSync(path));
/** Beside the requests of the page, which are watched: also those of its workers and of the browser itself. */
const ONLY_THIS_MACHINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
const isRequired = process.env.REQUIRE_BROWSER === "1" || process.env.CI === "1";

/** A suffix for the title of a block, which says that its tests are skipped. */
export const withoutChromium = executablePath ? "" : " (skipped: no Chromium found; CHROMIUM names one)";

/** Undefined where there is no Chromium, and none is required. @throws Error where one is */
export async function launchChromium(): Promise<Browser | undefined> {
  if (executablePath) {
    return puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ONLY_THIS_MACHINE] });
  }
  if (isRequired) throw new Error("No Chromium found: install it, or name it with CHROMIUM");
  return undefined;
}
