import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";

/** A command on a page, with the output shown there. */
export interface ConsoleExample {
  command: string;
  output: string;
}

/** The examples on a page: each `console` block starts with a command after `$`. */
export async function readConsoleExamples(page: string): Promise<ConsoleExample[]> {
  const blocks = (await readFile(page, "utf8")).matchAll(/```console\n\$ ((?:.*\\\n)*.*)\n([\s\S]*?)```/g);
  return [...blocks].map(([, command = "", output = ""]) => ({ command, output }));
}

/** Runs a command of a page in bash, as a reader would. */
export async function runInBash(command: string, environment: Record<string, string>): Promise<string> {
  const env = { PATH: process.env.PATH, ...environment };
  return (await promisify(execFile)("bash", ["-c", command.replace(/^curl /, "curl --silent ")], { env })).stdout;
}

/** Formats JSON without line breaks, and replaces identifiers and timestamps, which differ in each run. */
export function maskJson(text: string): unknown {
  const masked = text
    .replaceAll("\n", "")
    .replaceAll(/\b([a-z]+)_[0-9a-z]{26}\b/g, "$1_…")
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "<instant>");
  return JSON.parse(masked);
}
