import { mkdir } from "node:fs/promises";

/** Makes a directory and its missing parents. */
export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    // With `recursive`, Node reports ENOENT for a read-only disk, so the plain call comes first.
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
    await mkdir(path, { recursive: true });
  });
}
