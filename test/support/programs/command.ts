import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { programArguments } from "./program.ts";

/** Runs a command to its end, with only the given environment and PATH. */
export async function runCommand(command: string[], environment: Record<string, string>, typed = "") {
  const child = spawn(process.execPath, programArguments(...command), {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  // A command that reads no input may have ended already.
  child.stdin.on("error", () => undefined).end(typed);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}
