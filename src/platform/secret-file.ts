import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "./make-directory.ts";

/**
 * Reads a secret from a file for its owner alone, which is made at the first time. Of two processes that make it at
 * once, both read the secret of the quicker one.
 */
export async function readSecretFile(file: string, make: () => string): Promise<string> {
  const existing = await readFile(file, "utf8").catch(ignoring("ENOENT"));
  if (existing !== undefined) return existing.trim();
  await makeDirectory(dirname(file));
  // Written whole before it has its name: nobody reads half of it.
  const whole = `${file}.${randomUUID()}`;
  await writeFile(whole, `${make()}\n`, { mode: 0o600 });
  await link(whole, file).catch(ignoring("EEXIST"));
  await rm(whole);
  return (await readFile(file, "utf8")).trim();
}

function ignoring(code: string): (error: NodeJS.ErrnoException) => undefined {
  return (error) => {
    if (error.code !== code) throw error;
  };
}
