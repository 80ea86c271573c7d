import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { version } from "../../../src/platform/version.ts";
import { makeDirectory } from "../directory.ts";

const run = promisify(execFile);

let installed: Promise<string> | undefined;

/** Installs what `npm pack` makes of this release, once for all files of the run. Returns the directory. */
export function installRelease(): Promise<string> {
  return (installed ??= install());
}

async function install(): Promise<string> {
  const directory = await makeDirectory();
  await run("npm", ["pack", "--silent", "--pack-destination", directory]);
  // npm may refuse to run install scripts, so none may be needed.
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  await run("npm", ["install", ...flags, `./merchant-api-${version}.tgz`], { cwd: directory });
  return directory;
}
