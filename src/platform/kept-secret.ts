import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

/** Reads a secret from a file for its owner alone, which is made at the first time. */
export async function readKeptSecret(file: string, make: () => string): Promise<string> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, make(), { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") throw error;
  });
  return readFile(file, "utf8");
}
