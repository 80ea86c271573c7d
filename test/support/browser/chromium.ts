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
/** Blocks every host except this machine, also for workers and the browser itself, which tests do not observe. */
const ONLY_THIS_MACHINE = "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1";
const isRequired = process.env.REQUIRE_BROWSER === "1" || process.env.CI === "1";

/** A suffix for the title of a block whose tests are skipped. */
export const withoutChromium = executablePath ? "" : " (skipped: no Chromium found; CHROMIUM names one)";

/** Finds Chromium. Undefined if it is missing and not required. @throws Error if it is missing and required */
export async function launchChromium(): Promise<Browser | undefined> {
  if (executablePath) {
    return puppeteer.launch({ executablePath, args: ["--no-sandbox", "--disable-dev-shm-usage", ONLY_THIS_MACHINE] });
  }
  if (isRequired) throw new Error("No Chromium found: install it, or name it with CHROMIUM");
  return undefined;
}
