import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { programArguments } from "./program.ts";

/** Runs a command to its end, with nothing in its environment but what it is given and what finds programs. */
export async function runCommand(command: string[], environment: Record<string, string>, typed = "") {
  const child = spawn(process.execPath, programArguments(...command), {
    env: { PATH: process.env.PATH, NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE, ...environment },
  });
  // A command that asks for nothing may have ended before.
  child.stdin.on("error", () => undefined).end(typed);
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  return { code: child.exitCode, stdout, stderr };
}
