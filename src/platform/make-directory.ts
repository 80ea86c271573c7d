import { mkdir } from "node:fs/promises";

/** Makes a directory, and those above it, where there is none. */
export async function makeDirectory(path: string): Promise<void> {
  await mkdir(path).catch(async (error: NodeJS.ErrnoException) => {
    // Asked to make those above as well, Node says ENOENT of a disk that is read-only.
    if (error.code !== "ENOENT" && error.code !== "EEXIST") throw error;
    await mkdir(path, { recursive: true });
  });
}
