import { execFile } from "node:child_process";
import { mkdir, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";

const ROOT = resolve(import.meta.dirname, "../../..");
const compiler = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");

/** Compiles the program into a directory from which its packages resolve. Returns the path of its main file. */
export async function buildProgram(directory: string): Promise<string> {
  await mkdir(directory);
  await writeFile(join(directory, "package.json"), '{"type":"module"}');
  await symlink(join(ROOT, "node_modules"), join(directory, "node_modules"), "junction");
  // Types are checked by `npm run types`.
  const flags = ["-p", join(ROOT, "tsconfig.build.json"), "--noCheck", "--outDir", join(directory, "dist")];
  const state = ["--tsBuildInfoFile", join(directory, "dist/.tsbuildinfo")];
  await promisify(execFile)(process.execPath, [compiler, ...flags, ...state]);
  return join(directory, "dist/src/main.js");
}

/** The arguments with which operators run the program in Node. */
export const programArguments = (...command: string[]) => [
  "--enable-source-maps",
  process.env.TEST_PROGRAM!,
  ...command,
];
