import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { makeDirectory } from "./make-directory.ts";

/**
 * Reads a secret from a file that only its owner can read, and creates the file on first use. When two processes create
 * it at once, both get the same secret.
 */
export async function readSecretFile(file: string, make: () => string): Promise<string> {
  const existing = await readFile(file, "utf8").catch(ignoring("ENOENT"));
  if (existing !== undefined) return existing.trim();
  await makeDirectory(dirname(file));
  // Written under a temporary name first, so that no process reads half of it.
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
