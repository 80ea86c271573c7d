import { mkdir, stat } from "node:fs/promises";
import { dirname } from "node:path";

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
