import { appendFile, glob, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Suite } from "mocha";
import { exceptions, nameOf } from "./exceptions.ts";

interface UsedExceptions {
  files: string[];
  names: string[];
}

const recordFile = () => join(process.env.TEST_DIRECTORY!, "exceptions.jsonl");

/** Records the exceptions that a root suite's test files used. */
export async function appendUsedExceptions({ suites }: Suite, names: string[]): Promise<void> {
  const record: UsedExceptions = { files: suites.flatMap(({ file }) => file ?? []), names };
  await appendFile(recordFile(), `${JSON.stringify(record)}\n`);
}

/** The exceptions that no file of `npm run test:all` used. Empty unless all files have run. */
export async function findUnusedExceptions(): Promise<string[]> {
  const lines = await readFile(recordFile(), "utf8").catch(() => "");
  const records = lines.split("\n").flatMap((line) => (line ? [JSON.parse(line) as UsedExceptions] : []));
  const files = new Set(records.flatMap((record) => record.files));
  for await (const file of glob("test/**/*.test.ts", { exclude: ["test/{browser,faults,program}/**"] })) {
    if (!files.has(resolve(file))) return [];
  }
  const used = new Set(records.flatMap((record) => record.names));
  return exceptions.map(nameOf).filter((name) => !used.has(name));
}
