import { randomUUID } from "node:crypto";
import { link, readFile, rm, writeFile, mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Reads a secret from a file that only its owner can read, and creates the file on first use. When two processes create
 * it at the same time, both get the same secret.
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

/**
 * Makes a directory and its missing parents. Node's `recursive` does not: it reports ENOENT for a read-only disk, and never
 * ends below /proc.
 */
export async function makeDirectory(path: string): Promise<void> {
  await makeOne(path).catch(async (error: NodeJS.ErrnoException) => {
    const parent = dirname(path);
    if (error.code !== "ENOENT" || parent === path) throw error;
    await makeDirectory(parent);
    await makeOne(path);
  });
}

async function makeOne(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST" || !(await stat(path)).isDirectory()) throw error;
  });
}
