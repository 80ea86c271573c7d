import { appendFile, glob, readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Suite } from "mocha";
import { exceptions, nameOf } from "./exceptions.ts";

interface Note {
  files: string[];
  names: string[];
}

const notebook = () => join(process.env.TEST_DIRECTORY!, "exceptions.jsonl");

/** Writes down which exceptions the test files of a root suite made. */
export async function noteExceptions({ suites }: Suite, names: string[]): Promise<void> {
  const note: Note = { files: suites.flatMap(({ file }) => file ?? []), names };
  await appendFile(notebook(), `${JSON.stringify(note)}\n`);
}

/** The exceptions that no file of `npm test` made; none as long as some have not run. */
export async function findUnusedExceptions(): Promise<string[]> {
  const lines = await readFile(notebook(), "utf8").catch(() => "");
  const notes = lines.split("\n").flatMap((line) => (line ? [JSON.parse(line) as Note] : []));
  const files = new Set(notes.flatMap((note) => note.files));
  for await (const file of glob("test/**/*.test.ts", { exclude: ["test/{browser,faults,program}/**"] })) {
    if (!files.has(resolve(file))) return [];
  }
  const used = new Set(notes.flatMap((note) => note.names));
  return exceptions.map(nameOf).filter((name) => !used.has(name));
}
